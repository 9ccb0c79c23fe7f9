package io.acidq.examples.mybatis;

import javax.sql.DataSource;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.LocalCacheScope;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.SqlSessionTemplate;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

@SpringBootApplication
public class MyBatisApplication {

    // snippet:factories
    @Bean
    @Primary
    SqlSessionTemplate sessions(DataSource dataSource) throws Exception {
        return new SqlSessionTemplate(factory(dataSource));
    }

    /** A factory of its own: MyBatis refuses two kinds of executor of one factory in one transaction. */
    @Bean
    SqlSessionTemplate batchSessions(DataSource dataSource) throws Exception {
        return new SqlSessionTemplate(factory(dataSource), ExecutorType.BATCH);
    }

    private static SqlSessionFactory factory(DataSource dataSource) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setLocalCacheScope(LocalCacheScope.STATEMENT); // see “several messages in one transaction”
        configuration.addMapper(StockMapper.class);
        SqlSessionFactoryBean factory = new SqlSessionFactoryBean();
        factory.setDataSource(dataSource); // that of the queue
        factory.setConfiguration(configuration);
        return factory.getObject();
    }
    // /snippet
}
