package io.acidq.examples.jta;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import io.agroal.api.AgroalDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.jta.JtaTransactionManager;

/** The parts as beans of a Spring Boot application; where the servers are comes from its settings. */
// snippet:boot
@Configuration(proxyBeanMethods = false)
class BootBeans {

    @Bean
    Coordinator coordinator(@Qualifier("ships") Server ships, @Qualifier("bills") Server bills) throws Exception {
        return new Coordinator(Path.of("/var/lib/shop/jta"), "shop-1", ships, bills);
    }

    @Bean
    JtaTransactionManager transactionManager(Coordinator coordinator) {
        return coordinator.transactions();
    }

    /** The queue's database in the transactions of the application. */
    @Bean
    @Primary
    AgroalDataSource effects(Coordinator coordinator, @Qualifier("ships") Server ships) throws SQLException {
        return coordinator.enlisted(ships);
    }

    @Bean
    AgroalDataSource other(Coordinator coordinator, @Qualifier("bills") Server bills) throws SQLException {
        return coordinator.enlisted(bills);
    }

    /** The queue's database for the engine's own transactions: not by JTA. */
    @Bean(defaultCandidate = false)
    HikariDataSource own(@Qualifier("ships") Server ships) {
        HikariDataSource own = new HikariDataSource();
        own.setJdbcUrl(ships.url());
        own.setUsername(ships.user());
        own.setPassword(ships.password());
        return own;
    }

    @Bean
    Store store(@Qualifier("own") HikariDataSource own, JtaTransactionManager manager, AgroalDataSource effects) {
        return MyBatisStore.over(own, new SpringTransactions(manager, effects));
    }

    @Bean
    Booking booking(AgroalDataSource effects, @Qualifier("other") AgroalDataSource other) {
        return new Booking(new JdbcTemplate(effects), new JdbcTemplate(other));
    }
}
// /snippet
