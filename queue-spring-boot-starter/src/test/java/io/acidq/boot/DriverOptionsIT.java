package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Driver options with the real drivers. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@ExtendWith(OutputCaptureExtension.class)
class DriverOptionsIT {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class Plain {}

    /** A further engine with its own pool on the same database. */
    @Configuration(proxyBeanMethods = false)
    @Import(Plain.class)
    static class Further {

        @Bean(defaultCandidate = false)
        HikariDataSource billingPool(DataSourceProperties main, @Value("${billing.option}") String option) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(main.getUrl() + (main.getUrl().contains("?") ? "&" : "?") + option);
            pool.setUsername(main.getUsername());
            pool.setPassword(main.getPassword());
            Schema.create(pool);
            return pool;
        }

        @Bean
        QueueEngine billing(@Qualifier("billingPool") HikariDataSource pool) {
            return QueueEngine.over(
                    MyBatisStore.over(pool, new SpringTransactions(new JdbcTransactionManager(pool), pool)));
        }
    }

    private final ServerKind kind;

    DriverOptionsIT(ServerKind kind) {
        this.kind = kind;
    }

    @Test
    void refusesAUrlWhoseOptionReplacesConnections(CapturedOutput output) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        String url = database.jdbcUrl() + (database.jdbcUrl().contains("?") ? "&" : "?") + option();

        assertThatThrownBy(() -> ServerApplication.start(kind, Plain.class, "spring.datasource.url=" + url)
                .close());

        assertThat(output).contains("The JDBC URL sets " + option()).contains("Remove " + option());
    }

    @Test
    void refusesAPoolPropertyThatReplacesConnections(CapturedOutput output) {
        assertThatThrownBy(() -> ServerApplication.start(
                        kind, Plain.class, "spring.datasource.hikari.data-source-properties." + option())
                .close());

        assertThat(output).contains("data-source-properties sets " + option());
    }

    /** The pool of a further engine was not checked. */
    @Test
    void refusesSuchAnOptionForAFurtherEngine(CapturedOutput output) {
        assertThatThrownBy(() -> ServerApplication.start(
                        kind, Further.class, "acidq.initialize-schema=always", "billing.option=" + option())
                .close());

        assertThat(output)
                .contains("The JDBC URL of engine 'billing' sets " + option())
                .contains("Remove " + option());
    }

    @Test
    void explainsWhyTheDatabaseIsUnreachable(CapturedOutput output) {
        String url =
                TestServers.get(kind).createDatabase().jdbcUrl().replaceFirst("(//[^/]+/)[^?]*", "$1acidq_nowhere");
        assertThatThrownBy(() -> ServerApplication.start(kind, Plain.class, "spring.datasource.url=" + url)
                .close());
        assertThat(output)
                .contains(
                        "AcidQ cannot reach its database " + url.replaceFirst("\\?.*", "") + ": ",
                        "Unknown database 'acidq_nowhere'")
                .contains("Create the database with CREATE DATABASE");

        assertThatThrownBy(
                () -> ServerApplication.start(kind, Plain.class, "spring.datasource.password=not-the-password")
                        .close());
        assertThat(output)
                .contains("Access denied for user")
                .contains("Correct spring.datasource.username")
                .doesNotContain("Application run failed");
    }

    private String option() {
        return kind == ServerKind.MYSQL ? "autoReconnect=true" : "transactionReplay=true";
    }
}
