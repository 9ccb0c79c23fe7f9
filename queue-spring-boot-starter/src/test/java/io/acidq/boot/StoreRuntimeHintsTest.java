package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Claim;
import io.acidq.telemetry.Telemetry;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;

class StoreRuntimeHintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    StoreRuntimeHintsTest() {
        for (RuntimeHintsRegistrar registrar : AotServices.factories().load(RuntimeHintsRegistrar.class)) {
            if (registrar instanceof StoreRuntimeHints) {
                registrar.registerHints(hints, getClass().getClassLoader());
            }
        }
    }

    @Test
    void registersTheSqlAndTheSchemaFiles() {
        assertThat(RuntimeHintsPredicates.resource().forResource("io/acidq/mybatis/Claims.xml"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/acidq/schema/mysql/V1__acidq.sql"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/acidq/other.xml"))
                .rejects(hints);
    }

    @Test
    void registersTheProxyOfTelemetry() {
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Telemetry.class))
                .accepts(hints);
    }

    @Test
    void registersTheMappersAndTheirRows() {
        assertThat(RuntimeHintsPredicates.reflection().onType(Claim.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(TypeReference.of("io.acidq.mybatis.store.NodeMapper$ClaimRow")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.proxies()
                        .forInterfaces(TypeReference.of("io.acidq.mybatis.store.NodeMapper")))
                .accepts(hints);
    }
}
