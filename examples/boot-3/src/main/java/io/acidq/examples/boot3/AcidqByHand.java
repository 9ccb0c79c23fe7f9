package io.acidq.examples.boot3;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.EnableAcidQ;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

/** The beans that the starter defines on Boot 4. */
// snippet:config
@Configuration(proxyBeanMethods = false)
@EnableAcidQ
class AcidqByHand {

    @Bean
    @DependsOnDatabaseInitialization // after Flyway or Liquibase, if they make the tables
    Store store(DataSource dataSource, PlatformTransactionManager manager) {
        Schema.create(dataSource); // or Schema.check(dataSource)
        return MyBatisStore.over(dataSource, new SpringTransactions(manager, dataSource));
    }

    /** The listener names it: {@code retry = "quickly"}. */
    @Bean
    RetryPolicy quickly() {
        return RetryPolicy.defaults().withMaxAttempts(3).withFixedBackoff(Duration.ofMillis(50));
    }
}
// /snippet
