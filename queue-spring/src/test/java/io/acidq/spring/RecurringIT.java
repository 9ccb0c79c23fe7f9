package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.QueueMisuseException;
import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.Tick;
import io.acidq.TransientQueueException;
import io.acidq.admin.RecurringMessages;
import io.acidq.admin.RecurringMessages.RecurringInfo;
import io.acidq.testservers.ServerKind;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Recurring messages by annotations, by beans, and by calls. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class RecurringIT {

    private final ServerKind kind;

    RecurringIT(ServerKind kind) {
        this.kind = kind;
    }

    record Invoicing(long tenant) {}

    static class Reports {

        private final JdbcTemplate jdbc;

        Reports(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        // snippet:annotation
        @QueueListener(queue = "report.run")
        @RecurringMessage(name = "nightly", cron = "0 30 2 * * *", zone = "Europe/Berlin")
        void report(Tick tick) {
            writeReport(tick.at());
        }
        // /snippet

        private void writeReport(Instant at) {
            jdbc.update("INSERT INTO effect VALUES (1, ?)", "report of " + at);
        }

        @QueueListener(queue = "sync.run")
        @RecurringMessage(
                name = "often",
                every = "200ms",
                overlap = "skip",
                grace = "2m",
                expiresAfter = "3h",
                spread = "1s")
        void sync(Tick tick) {
            jdbc.update("INSERT INTO effect VALUES (1, ?)", tick.name());
        }

        @RecurringMessage(queue = "invoice.run", after = "100ms")
        Invoicing payload() {
            return new Invoicing(7);
        }

        @RecurringMessage(queue = "invoice.run", name = "switched off", cron = "${no.such.property:-}")
        Invoicing none() {
            return new Invoicing(8);
        }

        @QueueListener(queue = "invoice.run")
        void invoice(Invoicing invoicing) {
            jdbc.update("INSERT INTO effect VALUES (?, 'invoice')", invoicing.tenant());
        }
    }

    static class Tenants {

        private final RecurringMessages recurring;

        Tenants(RecurringMessages recurring) {
            this.recurring = recurring;
        }

        // snippet:put
        @Transactional
        public void open(long tenant, ZoneId zone) {
            // ... insert the tenant
            recurring.put(Recurring.message("invoice/" + tenant, Schedule.cron("0 0 6 1 * *", zone), "invoice.run")
                    .withPayload(new Invoicing(tenant)));
        }
        // /snippet

        @Transactional
        public void fail(long tenant) {
            open(tenant, ZoneId.of("UTC"));
            throw new IllegalStateException("rolled back");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import({Reports.class, Tenants.class})
    static class ReportConfiguration {

        @Bean
        Recurring hourly() {
            return Recurring.message("hourly", Schedule.every(Duration.ofHours(1)), "report.run");
        }
    }

    @Test
    void declaresAnnotatedMethodsAndBeansAndPutsInTheTransactionOfTheCaller() {
        try (QueueApplication application = new QueueApplication(kind, ReportConfiguration.class)) {
            RecurringMessages recurring = application.bean(RecurringMessages.class);
            assertThat(recurring.list("", 10))
                    .extracting(RecurringInfo::name)
                    .containsExactly("hourly", "invoice.run", "nightly", "often");
            assertThat(recurring.find("often").orElseThrow().expiresAfter()).contains(Duration.ofHours(3));
            assertThat(recurring.find("often").orElseThrow().spread()).isEqualTo(Duration.ofSeconds(1));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> notes(application).containsAll(List.of("often", "invoice")));
            Tenants tenants = application.bean(Tenants.class);
            tenants.open(3, ZoneId.of("Europe/Berlin"));
            assertThatThrownBy(() -> tenants.fail(4)).hasMessage("rolled back");
            assertThat(recurring.list("invoice/", 10))
                    .extracting(RecurringInfo::name)
                    .containsExactly("invoice/3");
            assertThat(recurring.find("nightly").orElseThrow().zone()).isEqualTo("Europe/Berlin");
        }
    }

    private static List<String> notes(QueueApplication application) {
        return application.jdbc.queryForList("SELECT DISTINCT note FROM effect", String.class);
    }

    /** A transaction manager that finds no free connection as long as it is told so, as with a full pool. */
    static class FullPool extends JdbcTransactionManager {

        private final AtomicInteger refusals = new AtomicInteger();
        private volatile String refused = "acidq-ticker";

        FullPool(DataSource pool) {
            super(pool);
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            if (Thread.currentThread().getName().equals(refused)
                    && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new CannotCreateTransactionException(
                        "no connection", new SQLTransientConnectionException("Connection is not available"));
            }
            super.doBegin(transaction, definition);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FullPoolConfiguration {

        @Bean
        @Primary
        FullPool transactionManager(DataSource pool) {
            return new FullPool(pool);
        }

        @Bean
        Recurring often() {
            return Recurring.message("often", Schedule.every(Duration.ofMillis(200)), "often.run");
        }
    }

    /** Each tick was given up for 30 seconds, with an error in the log. */
    @Test
    void ticksAsSoonAsThePoolHasAConnectionAgain() {
        try (QueueApplication application = new QueueApplication(kind, FullPoolConfiguration.class)) {
            FullPool pool = application.bean(FullPool.class);
            pool.refusals.set(2);
            await().until(() -> pool.refusals.get() == 0);
            int before = application.messages();
            await().atMost(Duration.ofSeconds(15)).until(() -> application.messages() > before);
        }
    }

    @Test
    void tellsThatTheDatabaseIsAwayAsOtherCallsDo() {
        try (QueueApplication application = new QueueApplication(kind, FullPoolConfiguration.class)) {
            FullPool pool = application.bean(FullPool.class);
            RecurringMessages recurring = application.bean(RecurringMessages.class);
            pool.refused = Thread.currentThread().getName();
            pool.refusals.set(1);
            assertThatThrownBy(() -> recurring.list("", 1))
                    .isInstanceOf(TransientQueueException.class)
                    .hasMessageContaining("no connection");
        }
    }

    static class Unparsable {

        @QueueListener(queue = "report.run")
        @RecurringMessage(cron = "0 30 2 * *", zone = "Europe/Berlin")
        void report(Tick tick) {}
    }

    static class OtherPayload {

        @QueueListener(queue = "report.run")
        @RecurringMessage(every = "30s")
        void report(Invoicing invoicing) {}
    }

    static class TwoSchedules {

        @QueueListener(queue = "report.run")
        @RecurringMessage(every = "30s", after = "30s")
        void report(Tick tick) {}
    }

    static class ThrowingPayload {

        @RecurringMessage(queue = "report.run", every = "30s")
        Invoicing payload() {
            throw new IllegalStateException("no tenant is active");
        }
    }

    static class WithoutQueue {

        @RecurringMessage(every = "30s")
        Invoicing payload() {
            return new Invoicing(1);
        }
    }

    @Test
    void failsTheStartForWhatCannotBeReadAndNamesTheMethodAndTheFix() {
        refuses(
                Unparsable.class,
                "@RecurringMessage on",
                "Unparsable.report",
                "needs 6 fields and has 5",
                "such as '0 30 2 * * *'");
        refuses(OtherPayload.class, "OtherPayload.report", "takes " + Invoicing.class.getName(), "take a Tick");
        refuses(TwoSchedules.class, "set one of cron, every and after");
        refuses(WithoutQueue.class, "WithoutQueue.payload", "set queue");
    }

    @Test
    void namesThePayloadMethodThatThrowsAtTheStart() {
        assertThatThrownBy(() -> new QueueApplication(kind, ThrowingPayload.class).close())
                .hasStackTraceContaining("@RecurringMessage on " + ThrowingPayload.class.getName() + ".payload")
                .hasStackTraceContaining("threw java.lang.IllegalStateException: no tenant is active");
    }

    private void refuses(Class<?> listeners, String... expected) {
        assertThatThrownBy(() -> new QueueApplication(kind, listeners).close())
                .rootCause()
                .isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> new QueueApplication(kind, listeners).close())
                .hasStackTraceContaining(expected[0])
                .satisfies(e -> {
                    for (String text : expected) {
                        assertThat(e).hasStackTraceContaining(text);
                    }
                });
    }
}
