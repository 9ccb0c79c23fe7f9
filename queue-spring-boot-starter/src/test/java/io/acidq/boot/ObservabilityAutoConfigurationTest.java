package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Interceptor;
import io.acidq.boot.AcidqObservabilityAutoConfiguration.EngineMeters;
import io.acidq.engine.Engine;
import io.acidq.micrometer.AcidqMetrics;
import io.acidq.micrometer.QueueObservations;
import io.acidq.telemetry.MdcInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

class ObservabilityAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    DataSourceInitializationAutoConfiguration.class,
                    AcidqStoreAutoConfiguration.class,
                    AcidqObservabilityAutoConfiguration.class,
                    AcidqAutoConfiguration.class,
                    AcidqActuatorAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + "");

    @Test
    void startsWithoutMicrometerAndActuator() {
        runner.withClassLoader(new FilteredClassLoader(
                        "io.micrometer.core", "org.springframework.boot.actuate", "org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Engine.class)
                        .hasSingleBean(MdcInterceptor.class)
                        .doesNotHaveBean("acidqEngineMeters")
                        .doesNotHaveBean("acidqEndpoint")
                        .doesNotHaveBean("acidqHealthIndicator"));
    }

    @Test
    void startsWithMicrometerOnTheClasspathAndNoRegistry() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(EngineMeters.class)
                .doesNotHaveBean(QueueObservations.class));
    }

    @Test
    void usesTheRegistriesOfTheApplication() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("acidq.observability.engine=shop")
                .run(context -> {
                    assertThat(context).hasSingleBean(EngineMeters.class).hasSingleBean(QueueObservations.class);
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("acidq.database")
                                    .tags("engine", "shop", "state", "up")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                });
    }

    @Test
    void omitsWhatIsDisabled() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues(
                        "acidq.observability.mdc=false",
                        "acidq.observability.metrics=false",
                        "acidq.observability.observations=false")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(Interceptor.class);
                    assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
                });
    }

    @Test
    void prefersTheMetricsOfTheApplication() {
        AcidqMetrics own = new AcidqMetrics(new SimpleMeterRegistry(), "own");
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(AcidqMetrics.class, () -> own)
                .run(context -> {
                    assertThat(context.getBean(AcidqMetrics.class)).isSameAs(own);
                    assertThat(context).doesNotHaveBean(EngineMeters.class);
                });
    }

    @Test
    void hasHealthUnlessItIsDisabledAndNoEndpointUnlessItIsExposed() {
        runner.run(context ->
                assertThat(context).hasSingleBean(HealthIndicator.class).doesNotHaveBean(AcidqEndpoint.class));
        runner.withPropertyValues("management.health.acidq.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }

    /** Boot does not start with a group that names an unknown health contributor. */
    @Test
    void allowsAGroupToNameItsHealthWhenItIsDisabled() {
        ApplicationContextRunner grouped = runner.withConfiguration(AutoConfigurations.of(
                        HealthContributorRegistryAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        HealthEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=health",
                        "management.endpoint.health.group.readiness.include=ping,acidq");
        grouped.withPropertyValues("acidq.enabled=false").run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Engine.class);
            HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
            assertThat(endpoint.healthForPath("readiness").getStatus()).isEqualTo(Status.UP);
            Health health = context.getBean("acidqHealthIndicator", HealthIndicator.class)
                    .health();
            assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
            assertThat(health.getDetails()).containsEntry("engine", "none: acidq.enabled=false");
        });
        grouped.withPropertyValues("acidq.enabled=false", "management.health.acidq.enabled=false")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void isDownWhenATableIsMissing() {
        runner.run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);
            assertThat(health.health().getStatus().getCode()).isEqualTo("UP");
        });
        runner.run(context -> {
            context.getBean(javax.sql.DataSource.class)
                    .getConnection()
                    .createStatement()
                    .execute("DROP TABLE acidq_message");
            HealthIndicator health = context.getBean(HealthIndicator.class);
            assertThat(health.health().getStatus().getCode()).isEqualTo("DOWN");
            assertThat(health.health().getDetails().get("tables").toString()).contains("acidq_message");
        });
    }
}
