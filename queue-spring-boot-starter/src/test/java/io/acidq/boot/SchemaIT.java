package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

@ParameterizedClass
@EnumSource(ServerKind.class)
@ExtendWith(OutputCaptureExtension.class)
class SchemaIT {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class Plain {}

    private final ServerKind kind;

    SchemaIT(ServerKind kind) {
        this.kind = kind;
    }

    @Test
    void createsTheTablesWhenAsked() {
        try (ConfigurableApplicationContext context =
                ServerApplication.start(kind, Plain.class, "acidq.initialize-schema=always")) {
            assertThat(context.getBean(Engine.class)).isNotNull();
        }
    }

    @Test
    void findsTheTablesThatAScriptOfTheApplicationCreates() {
        try (ConfigurableApplicationContext context = ServerApplication.start(
                kind,
                Plain.class,
                "spring.sql.init.mode=always",
                "spring.sql.init.schema-locations=classpath:io/acidq/schema/mysql/V1__acidq.sql")) {
            assertThat(context.getBean(Engine.class)).isNotNull();
        }
    }

    @Test
    void saysWhatToDoWhenTheTablesAreMissing(CapturedOutput output) {
        assertThatThrownBy(() -> ServerApplication.start(kind, Plain.class).close())
                .rootCause()
                .isInstanceOf(QueueMisuseException.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Action:")
                .contains("set acidq.initialize-schema=always");
    }
}
