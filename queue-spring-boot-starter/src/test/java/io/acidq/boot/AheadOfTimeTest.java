package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.QueueListener;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

/** An application that is processed ahead of time, as for a native image, and then started from the generated classes. */
@CompileWithForkedClassLoader // generated classes are in the packages of the classes that they call
class AheadOfTimeTest {

    static class Shipping {
        @QueueListener(
                queue = "order.placed",
                retry = "quick",
                breaker = "partner",
                rateLimit = "calls",
                bulkhead = "few")
        void ship(String order) {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        AcidqStoreAutoConfiguration.class,
        AcidqAutoConfiguration.class
    })
    static class Application {
        @Bean
        Shipping shipping() {
            return new Shipping();
        }
    }

    private final Map<String, Object> properties = new HashMap<>(Map.of(
            "spring.datasource.url", AcidqAutoConfigurationTest.h2Url(),
            "acidq.retry.quick.max-attempts", "2",
            "acidq.breaker.partner.window", "30",
            "acidq.rate-limit.calls.starts", "10",
            "acidq.bulkhead.few.max-running", "3"));

    /** An application with one of these properties could not be processed. */
    @Test
    void hasThePoliciesOfItsProperties() {
        run(context -> {
            assertThat(named(context, RetryPolicy.class, "quick").maxAttempts()).isEqualTo(2);
            assertThat(named(context, Breaker.class, "partner").window()).isEqualTo(30);
            assertThat(named(context, RateLimit.class, "calls").starts()).isEqualTo(10);
            assertThat(named(context, Bulkhead.class, "few").maxRunning()).isEqualTo(3);
        });
    }

    @Test
    void hasThePoliciesOfTheEnvironmentAtRunTime() {
        properties.put("acidq.retry.built.max-attempts", "2");
        ahead(started -> {
            properties.remove("acidq.retry.built.max-attempts");
            properties.put("acidq.retry.quick.max-attempts", "7");
            properties.put("acidq.retry.patient.max-attempts", "90");
            started.accept(context -> {
                assertThat(named(context, RetryPolicy.class, "quick").maxAttempts())
                        .isEqualTo(7);
                assertThat(named(context, RetryPolicy.class, "patient").maxAttempts())
                        .isEqualTo(90);
                assertThatThrownBy(() -> named(context, RetryPolicy.class, "built"))
                        .isInstanceOf(NoSuchBeanDefinitionException.class);
            });
        });
    }

    private static <B> B named(GenericApplicationContext context, Class<B> type, String name) {
        return BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getBeanFactory(), type, name);
    }

    private void run(Consumer<GenericApplicationContext> checks) {
        ahead(started -> started.accept(checks));
    }

    private void ahead(Consumer<Consumer<Consumer<GenericApplicationContext>>> uses) {
        TestGenerationContext generated = new TestGenerationContext();
        AnnotationConfigApplicationContext build = with(new AnnotationConfigApplicationContext());
        build.register(Application.class);
        new ApplicationContextAotGenerator().processAheadOfTime(build, generated);
        generated.writeGeneratedContent();
        TestCompiler.forSystem()
                .with(generated)
                .compile(compiled -> uses.accept(checks -> {
                    try (GenericApplicationContext context = with(new GenericApplicationContext())) {
                        initializer(compiled.getInstance(ApplicationContextInitializer.class))
                                .initialize(context);
                        context.refresh();
                        checks.accept(context);
                    }
                }));
    }

    private <C extends GenericApplicationContext> C with(C context) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        return context;
    }

    @SuppressWarnings("unchecked")
    private static ApplicationContextInitializer<GenericApplicationContext> initializer(
            ApplicationContextInitializer<?> generated) {
        return (ApplicationContextInitializer<GenericApplicationContext>) generated;
    }
}
