package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.boot.shop.ShopApplication;
import io.acidq.doctor.Check;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.Finding;
import io.acidq.doctor.Finding.Level;
import io.acidq.doctor.Report;
import io.acidq.engine.Engine;
import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;

@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(Lifecycle.PER_CLASS)
class DoctorIT {

    @Parameter
    private ServerKind kind;

    private ConfigurableApplicationContext context;

    @BeforeParameterizedClassInvocation
    void start() {
        context = ServerApplication.start(
                kind,
                ShopApplication.class,
                "acidq.initialize-schema=always",
                "acidq.retry.shipping.initial-delay=0s",
                "acidq.retry.shipping.max-delay=0s",
                "acidq.heartbeat-interval=100ms",
                "spring.datasource.hikari.maximum-pool-size=9",
                "spring.jmx.enabled=true",
                "management.endpoints.jmx.exposure.include=acidqdoctor");
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
    }

    @Test
    void isABeanThatKnowsThePoolAndTheNode() {
        Report report = context.getBean(Doctor.class).examine();
        Finding pool = report.of(Check.POOL).get(0);
        assertThat(pool.level()).isEqualTo(Level.WARNING);
        assertThat(pool.found())
                .contains(
                        "the pool has 9 connections",
                        "node " + context.getBean(Engine.class).node());
        assertThat(report.of(Check.NODES)).allSatisfy(f -> assertThat(f.level()).isEqualTo(Level.OK));
    }

    @Test
    void isAnEndpointOfTheActuator() {
        assertThat(context.getBean(AcidqDoctorEndpoint.class).examine(null).getBody())
                .containsOnlyKeys("worst", "findings")
                .containsEntry("worst", "WARNING");
    }
}
