package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.mybatis.Schema;
import io.acidq.spring.Publish;
import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueName;
import io.acidq.spring.QueueTemplate;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The output of an application that does not start: the problem, and what to do. */
@ExtendWith(OutputCaptureExtension.class)
class FailedStartTest {

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        AcidqStoreAutoConfiguration.class,
        AcidqAutoConfiguration.class,
        AcidqAbsentAutoConfiguration.class
    })
    static class WithoutDatabase {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class})
    @Import(WithoutDatabase.class)
    static class WithoutManager {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class
    })
    @Import(WithoutDatabase.class)
    static class Whole {}

    @SuppressWarnings("unused")
    static class RequiresTheQueue {
        RequiresTheQueue(MessageQueue queue) {}
    }

    @SuppressWarnings("unused")
    static class RequiresATemplate {
        RequiresATemplate(@QueueName("q") QueueTemplate<String> template) {}
    }

    static class Publishing {
        @Publish(queue = "q")
        public String publish() {
            return "x";
        }
    }

    static class One {
        @QueueListener(queue = "order.placed")
        void first(String order) {}
    }

    static class External {
        @QueueListener(queue = "order.placed", mode = "external")
        void call(String order) {}
    }

    static class Later {
        @QueueListener(queue = "order.placed", autoStartup = "false")
        void ship(String order) {}
    }

    static class Two {
        @QueueListener(queue = "order.placed")
        void second(String order) {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WithoutManager.class)
    static class TwoManagers {
        @Bean
        PlatformTransactionManager one(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager two(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {RequiresTheQueue.class, RequiresATemplate.class})
    void reportsThatThereIsNoDataSourceForARequiredBean(Class<?> requiring, CapturedOutput output) {
        fails(List.of(), WithoutDatabase.class, requiring);

        assertThat(output).contains("it found no DataSource bean").contains("Action:", "Give AcidQ a database");
    }

    @Test
    void reportsAnOlderSpringBoot(CapturedOutput output) {
        SpringApplication application =
                new SpringApplication(new DefaultResourceLoader(new FilteredClassLoader(Threading.class)), Whole.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        assertThatThrownBy(application::run).isInstanceOf(QueueMisuseException.class);

        assertThat(output)
                .contains("queue-spring-boot-starter needs Spring Boot 4, and this application has "
                        + SpringBootVersion.getVersion())
                .contains("Update Spring Boot; on Boot 3.4 or 3.5 use queue-spring instead of the starter");
    }

    @Test
    void reportsThatThereIsNoDataSourceForAnAnnotation(CapturedOutput output) {
        fails(List.of(), WithoutDatabase.class, Publishing.class);

        assertThat(output).contains("AcidQ has no database").contains("Define one DataSource, mark one @Primary");
    }

    @Test
    void reportsMissingTables(CapturedOutput output) {
        fails(List.of("acidq.initialize-schema=never"), Whole.class);

        assertThat(output)
                .contains("table acidq_message is missing")
                .contains("Let your migrations run AcidQ's DDL, or set acidq.initialize-schema=always");
    }

    @Test
    void reportsTablesOfAnotherVersion(CapturedOutput output) {
        String url = AcidqAutoConfigurationTest.h2Url();
        DataSource database = new DriverManagerDataSource(url, "sa", "");
        Schema.create(database);
        new JdbcTemplate(database).update("UPDATE acidq_schema SET version = 99");

        fails(List.of("spring.datasource.url=" + url, "acidq.initialize-schema=never"), Whole.class);

        assertThat(output)
                .contains("they have version 99")
                .contains("Use AcidQ with schema version 99 or newer")
                .doesNotContain("initialize-schema=always");
    }

    @Test
    void reportsAMissingTransactionManager(CapturedOutput output) {
        fails(List.of(), WithoutManager.class);

        assertThat(output)
                .contains("there is no PlatformTransactionManager bean")
                .contains("Define a JdbcTransactionManager");
    }

    @Test
    void reportsSeveralTransactionManagers(CapturedOutput output) {
        fails(List.of(), TwoManagers.class);

        assertThat(output)
                .contains("which of several PlatformTransactionManager beans")
                .contains("Mark the one of the DataSource @Primary");
    }

    /** With two connections the start ended in the timeout of the pool, and with four the stop took too long. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void reportsAPoolThatIsTooSmallForOneWorker(int connections, CapturedOutput output) {
        fails(List.of("spring.datasource.hikari.maximum-pool-size=" + connections), Whole.class, One.class);

        assertThat(output)
                .contains("with a single worker AcidQ needs 5 to start, run and stop")
                .contains("Set spring.datasource.hikari.maximum-pool-size to at least 9 + what");
    }

    @Test
    void reportsAPoolThatIsTooSmallToEnqueue(CapturedOutput output) {
        starts(List.of("spring.datasource.hikari.maximum-pool-size=2"), Whole.class);
        fails(List.of("spring.datasource.hikari.maximum-pool-size=1"), Whole.class);

        assertThat(output).contains("has one connection, and enqueueing needs 2");
    }

    @Test
    void reportsAPoolThatIsTooSmallForTheWorkersOfOneListener(CapturedOutput output) {
        starts(
                List.of("spring.datasource.hikari.maximum-pool-size=9", "acidq.queues[order.placed].concurrency=8"),
                Whole.class,
                One.class);
        fails(
                List.of("spring.datasource.hikari.maximum-pool-size=8", "acidq.queues[order.placed].concurrency=2-8"),
                Whole.class,
                One.class);

        assertThat(output)
                .contains("has 8 connections, and the listener of queue 'order.placed' has up to 8 workers")
                .contains("Set spring.datasource.hikari.maximum-pool-size to at least 13 + what")
                .contains("or lower acidq.queues[order.placed].concurrency");
    }

    @Test
    void startsWithWorkersInExternalModeThatHoldNoConnection() {
        starts(
                List.of("spring.datasource.hikari.maximum-pool-size=8", "acidq.queues[order.placed].concurrency=30"),
                Whole.class,
                External.class);
    }

    /** A process that only enqueues has a small pool. */
    @Test
    void startsWithAListenerThatIsNotStarted() {
        starts(
                List.of("spring.datasource.hikari.maximum-pool-size=4", "acidq.queues[order.placed].concurrency=30"),
                Whole.class,
                Later.class);
    }

    @Test
    void warnsAboutAPoolThatIsSmallerThanTheWorkersNeed(CapturedOutput output) {
        // one listener with 4 workers: 4 + 1 + the heartbeat + 1 for the application
        starts(List.of("spring.datasource.hikari.maximum-pool-size=7"), Whole.class, One.class);
        assertThat(output).doesNotContain("the connection pool");

        starts(List.of("spring.datasource.hikari.maximum-pool-size=6"), Whole.class, One.class);
        assertThat(output)
                .contains(
                        "has 6 connections, and 4 workers, 1 pollers and the heartbeat of AcidQ need 6 of them at once")
                .contains(
                        "maximum-pool-size to at least 9 + what the application itself needs; AcidQ's are 4 for workers,"
                                + " 1 for pollers, and 4 for the heartbeat, the wait for commits, the tasks and other reads");
    }

    @Test
    void namesAQueueThatIsNotKnown(CapturedOutput output) {
        fails(List.of("acidq.known-queues=order.plced,order.cancelled"), Whole.class, One.class);

        assertThat(output)
                .contains(
                        "the queue 'order.placed', which is not among acidq.known-queues: order.plced, order.cancelled")
                .contains("Correct the name, or add it to acidq.known-queues");
    }

    @Test
    void namesASectionOfAQueueThatIsNotKnown(CapturedOutput output) {
        fails(List.of("acidq.known-queues=order.placed", "acidq.queues[order.plced].concurrency=3"), Whole.class);

        assertThat(output).contains("acidq.queues names the queue 'order.plced'");
    }

    @Test
    void startsWithAllQueuesKnownAndWithoutAnyList() {
        starts(List.of("acidq.known-queues=order.placed"), Whole.class, One.class);
        starts(List.of(), Whole.class, One.class);
    }

    @Test
    void namesBothListenersOfOneQueue(CapturedOutput output) {
        fails(List.of(), Whole.class, One.class, Two.class);

        assertThat(output)
                .contains("queue 'order.placed' has two listeners")
                .contains("One.first(String)")
                .contains("Two.second(String)")
                .contains("Each message goes to one of them. Remove one", "give each a subscription");
    }

    static class ListensToAnUnknownProperty {
        @QueueListener(queue = "${nope.q}")
        void ship(String order) {}
    }

    static class PublishesToAnUnknownProperty {
        @Publish(queue = "${nope.q}")
        public String publish() {
            return "x";
        }
    }

    static class UnknownErrorHandler {
        @QueueListener(queue = "q", errorHandler = "table")
        void ship(String order) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {ListensToAnUnknownProperty.class, PublishesToAnUnknownProperty.class})
    void namesTheMethodAndTheAttributeWhosePropertyIsMissing(Class<?> bean, CapturedOutput output) {
        fails(List.of(), Whole.class, PropertyPlaceholderAutoConfiguration.class, bean);

        assertThat(output)
                .contains(bean.getSimpleName())
                .contains("queue '${nope.q}' cannot be resolved")
                .contains("Define the property, or give a default as in ${name:value}.")
                .doesNotContain("Application run failed");
    }

    @Test
    void namesTheMethodWhoseBeanIsMissing(CapturedOutput output) {
        fails(List.of(), Whole.class, UnknownErrorHandler.class);

        assertThat(output).contains("UnknownErrorHandler.ship(String)").contains("errorHandler names 'table'");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "jdbc:mysql://h/d?a=b&autoReconnect=true, autoReconnect=true",
                "jdbc:mysql://h/d?AUTORECONNECT=TRUE&x=y, AUTORECONNECT=TRUE",
                "jdbc:mysql://h/d?autoReconnectForPools=yes, autoReconnectForPools=yes",
                "'jdbc:mysql://(host=h,autoReconnect=true)/d', autoReconnect=true",
                "jdbc:mariadb://h/d?transactionReplay=true, transactionReplay=true",
                "jdbc:mysql://h/d?autoReconnect=false, none",
                "jdbc:mysql://h/d?comment=autoReconnect, none",
                "jdbc:h2:mem:x, none",
                "none, none",
            })
    void findsOptionsThatReplaceConnections(String url, String option) {
        assertThat(DriverOptions.inUrl(url).orElse(null)).isEqualTo(option);
    }

    /** An environment variable cannot name such a queue; SPRING_APPLICATION_JSON sets this property. */
    @Test
    void readsSettingsOfAQueueWithDotsFromJsonInTheEnvironment() {
        String json = "{\"acidq.queues[order.placed].concurrency\": 3}";
        try (ConfigurableApplicationContext context =
                run(List.of("spring.application.json=" + json), Whole.class, One.class)) {
            assertThat(EngineDefinition.of(context.getBean(Engine.class)).listeners())
                    .extracting(listener -> listener.concurrency().max())
                    .containsExactly(3);
        }
    }

    private static void fails(List<String> properties, Class<?>... beans) {
        assertThatThrownBy(() -> run(properties, beans).close()).isInstanceOf(RuntimeException.class);
    }

    private static void starts(List<String> properties, Class<?>... beans) {
        try (ConfigurableApplicationContext context = run(properties, beans)) {
            assertThat(context.isRunning()).isTrue();
        }
    }

    private static ConfigurableApplicationContext run(List<String> properties, Class<?>... beans) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--spring.datasource.url=" + AcidqAutoConfigurationTest.h2Url());
        properties.forEach(p -> {
            arguments.removeIf(a -> a.startsWith("--" + p.substring(0, p.indexOf('=') + 1)));
            arguments.add("--" + p);
        });
        SpringApplication application = new SpringApplication(beans);
        application.setWebApplicationType(WebApplicationType.NONE); // other tests need the classes of a web server
        return application.run(arguments.toArray(String[]::new));
    }
}
