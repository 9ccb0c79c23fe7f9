package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Outcome;
import io.acidq.config.Listener;
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
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

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
}
