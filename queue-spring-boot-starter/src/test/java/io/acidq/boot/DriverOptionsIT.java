package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** With the drivers themselves, which know their URLs. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@ExtendWith(OutputCaptureExtension.class)
class DriverOptionsIT {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class Plain {}

    private final ServerKind kind;

    DriverOptionsIT(ServerKind kind) {
        this.kind = kind;
    }

    @Test
    void refusesAUrlWithWhichConnectionsAreReplaced(CapturedOutput output) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        String url = database.jdbcUrl() + (database.jdbcUrl().contains("?") ? "&" : "?") + option();

        assertThatThrownBy(() -> ServerApplication.start(kind, Plain.class, "spring.datasource.url=" + url)
                .close());

        assertThat(output).contains("The JDBC URL sets " + option()).contains("Remove " + option());
    }

    @Test
    void refusesAPropertyOfThePoolWithWhichConnectionsAreReplaced(CapturedOutput output) {
        assertThatThrownBy(() -> ServerApplication.start(
                        kind, Plain.class, "spring.datasource.hikari.data-source-properties." + option())
                .close());

        assertThat(output).contains("data-source-properties sets " + option());
    }

    private String option() {
        return kind == ServerKind.MYSQL ? "autoReconnect=true" : "transactionReplay=true";
    }
}
