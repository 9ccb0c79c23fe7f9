package io.acidq.boot.shop;

import javax.sql.DataSource;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application with its own MyBatis: scan, TypeHandler and SqlSessionFactory. */
@SpringBootApplication
public class ShopApplication {

    @Bean
    SqlSessionFactory shopSessions(DataSource dataSource) throws Exception {
        Configuration configuration = new Configuration();
        configuration.getTypeHandlerRegistry().register(MoneyTypeHandler.class);
        SqlSessionFactoryBean factory = new SqlSessionFactoryBean();
        factory.setDataSource(dataSource);
        factory.setConfiguration(configuration);
        return factory.getObject();
    }
}
