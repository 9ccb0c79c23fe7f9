package io.acidq.examples.spring;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import io.acidq.spring.EnableAcidQ;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** All that is needed beside the {@code DataSource}. */
// snippet:config
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement
@EnableAcidQ
@Import({Orders.class, Shipping.class})
class AppConfig {

    @Bean
    PlatformTransactionManager transactionManager(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    Store store(DataSource dataSource, PlatformTransactionManager manager) {
        Schema.create(dataSource); // or by Flyway; the tables must be there before the engine starts
        return MyBatisStore.over(dataSource, new SpringTransactions(manager, dataSource));
    }

    /** Found by the listener's {@code retry = "shipping"}; without any the defaults hold. */
    @Bean("shipping")
    RetryPolicy shippingPolicy() {
        return RetryPolicy.defaults()
                .withFixedBackoff(Duration.ofMillis(100))
                .withRule(RetryRule.deadOn(IllegalArgumentException.class));
    }

    @Bean
    JdbcTemplate jdbcTemplate(DataSource dataSource) {
        return new JdbcTemplate(dataSource);
    }
}
// /snippet
