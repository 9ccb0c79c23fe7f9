package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Outcome;
import io.acidq.config.Concurrency;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.Engine;
import io.acidq.micrometer.AcidqGauges;
import io.acidq.micrometer.AcidqMetrics;
import io.acidq.micrometer.QueueObservations;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.store.Store;
import io.acidq.telemetry.MdcInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@ExtendWith(OutputCaptureExtension.class)
class PlainEngineTest {

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ObservationRegistry observations = ObservationRegistry.create();

    @Test
    void isObservedWithoutSpring() throws Exception {
        DataSource dataSource = new DriverManagerDataSource(AcidqAutoConfigurationTest.h2Url());
        Schema.create(dataSource);
        JdbcTransactions transactions = new JdbcTransactions(dataSource);
        Store store = MyBatisStore.over(dataSource, transactions);
        Listener<String> listener = Listener.on("orders", String.class, (order, delivery) -> Outcome.done());

        // snippet:plain
        AcidqMetrics metrics = new AcidqMetrics(meters, "shop");
        Engine engine = Engine.builder(store)
                .telemetry(metrics)
                .interceptor(metrics)
                .interceptor(new QueueObservations(observations))
                .interceptor(new MdcInterceptor())
                .listen(listener)
                .build();
        AcidqGauges gauges = new AcidqGauges(meters, "shop", engine, AcidqGauges.PERIOD);
        engine.start();
        gauges.start();
        // /snippet

        try (engine;
                gauges) {
            transactions.run(() -> engine.queue().enqueue("orders", "one"));
            await().ignoreException(MeterNotFoundException.class)
                    .untilAsserted(() -> assertThat(meters.get("acidq.handler")
                                    .tags("engine", "shop", "queue", "orders", "outcome", "done")
                                    .timer()
                                    .count())
                            .isEqualTo(1));
            assertThat(meters.get("acidq.enqueued")
                            .tags("engine", "shop")
                            .counter()
                            .count())
                    .isEqualTo(1);
            await().ignoreException(MeterNotFoundException.class)
                    .untilAsserted(() -> assertThat(meters.get("acidq.workers")
                                    .tags("queue", "orders")
                                    .gauge()
                                    .value())
                            .isEqualTo(4));
        }
        assertThat(meters.find("acidq.workers").gauge()).isNull();
    }

    @Test
    void logsAtItsStartWhereItRunsWhatItListensToAndWhatIsOff(CapturedOutput output) {
        DataSource dataSource = new DriverManagerDataSource(AcidqAutoConfigurationTest.h2Url());
        Schema.create(dataSource);
        Store store = MyBatisStore.over(dataSource, new JdbcTransactions(dataSource));
        EngineConfig config =
                EngineConfig.defaults().withQueue("mail", QueueConfig.defaults().withBacklogAlarm(9));
        Listener<String> orders = Listener.on("orders", String.class, (order, delivery) -> Outcome.done());
        Listener<String> mail = Listener.on("mail", String.class, (text, delivery) -> Outcome.done())
                .withConcurrency(Concurrency.between(2, 16))
                .withTimeout(Duration.ofMinutes(1));

        try (Engine engine = Engine.builder(store)
                .config(config)
                .listen(orders)
                .listenLater(mail)
                .build()) {
            engine.start();
        }

        assertThat(output)
                .containsPattern("AcidQ \\S+ runs on H2 2\\..*, claim strategy LANES")
                .contains("listeners: orders (4 workers), mail (not started, 2-16 workers)")
                .contains(
                        "features that are switched off: metrics; backlog alarms of orders; handler timeouts of orders; removal of dead letters; archive;"
                                + " direct handoff");
    }
}
