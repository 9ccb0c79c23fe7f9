package io.acidq.examples.databases;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.transaction.SpringTransactions;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The second database: none of its beans is a default candidate, so Boot and AcidQ make those of the main one as ever. */
@Configuration(proxyBeanMethods = false)
class BillingDatabase {

    static final String TRANSACTIONS = "billingTransactionManager";

    // snippet:database
    @Bean(defaultCandidate = false)
    @Qualifier("billing")
    @ConfigurationProperties("billing.datasource")
    HikariDataSource billingDataSource() {
        return new HikariDataSource();
    }

    @Bean(name = TRANSACTIONS, defaultCandidate = false)
    @Qualifier("billing")
    PlatformTransactionManager billingTransactionManager(@Qualifier("billing") DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }

    @Bean
    QueueEngine billing(
            @Qualifier("billing") DataSource dataSource, @Qualifier("billing") PlatformTransactionManager manager) {
        Schema.create(dataSource);
        return QueueEngine.over(MyBatisStore.over(dataSource, new SpringTransactions(manager, dataSource)));
    }
    // /snippet

    @Bean(defaultCandidate = false)
    @Qualifier("billing")
    JdbcTemplate billingJdbcTemplate(@Qualifier("billing") DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("CREATE TABLE IF NOT EXISTS invoices"
                + " (order_id BIGINT NOT NULL, cents INT NOT NULL, mailed INT NOT NULL DEFAULT 0)");
        return jdbc;
    }
}
