package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import io.acidq.testservers.ServerKind;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

@ParameterizedClass
@EnumSource(ServerKind.class)
class SchemaIT {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class WithStore {

        @Bean
        Store store(DataSource dataSource, PlatformTransactionManager manager) {
            return MyBatisStore.over(dataSource, new SpringTransactions(manager, dataSource));
        }
    }

    private final ServerKind kind;

    SchemaIT(ServerKind kind) {
        this.kind = kind;
    }

    @Test
    void createsTheTablesOfAStoreOfTheApplication() {
        try (ConfigurableApplicationContext context =
                ServerApplication.start(kind, WithStore.class, "acidq.initialize-schema=always")) {
            assertThat(context.getBeansOfType(Store.class)).containsOnlyKeys("store");
            context.getBean(Store.class).server().checkTables();
            assertThat(context.getBean(Engine.class)).isNotNull();
        }
    }

    /** The action was the text of the driver, “Connection is read-only”. */
    @Test
    void refusesAPoolWithReadOnlyConnectionsAtTheStart() {
        assertThatThrownBy(() -> ServerApplication.start(
                        kind,
                        Application.class,
                        "acidq.initialize-schema=always",
                        "spring.datasource.hikari.read-only=true"))
                .rootCause()
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("are read-only", "spring.datasource.hikari.read-only=false");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class Application {}
}
