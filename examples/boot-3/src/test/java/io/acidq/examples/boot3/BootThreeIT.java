package io.acidq.examples.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetters;
import io.acidq.engine.Engine;
import io.acidq.store.Store;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.SpringVersion;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;

/** The same jars as with Boot 4, on Spring Framework 6.2. */
class BootThreeIT {

    /** Takes five seconds on the first server: the first context of a JVM loads all its classes. */
    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void carriesOrdersOnSpringBoot3(ServerKind kind) {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        assertThat(SpringVersion.getVersion()).startsWith("6.2.");
        try (ConfigurableApplicationContext context = start(kind)) {
            OrderService orders = context.getBean(OrderService.class);
            Look look = new Look(context.getBean(JdbcTemplate.class), context.getBean(DeadLetters.class));

            orders.place(new Order(1, "tea"));
            look.awaitShipment(1, "normal", 0, 1);

            orders.placeExpress(new Order(2, "tea"));
            look.awaitShipment(2, "express", 1, 1);

            orders.place(new Order(3, "glass"));
            look.awaitShipment(3, "normal", 0, 2);

            orders.place(new Order(4, "ice"));
            look.awaitDeadLetter("molten", 3);

            orders.place(new Order(5, " "));
            look.awaitDeadLetter(MethodArgumentNotValidException.class.getName(), 3);

            assertThatThrownBy(() -> orders.place(new Order(1, "again"))).isInstanceOf(DuplicateKeyException.class);
            assertThat(look.shipments(1)).as("no second message").hasSize(1);
            assertThat(look.shipments(4)).as("rolled back").isEmpty();
            saysThatJackson3IsMissing(context.getBean(Store.class));
            doesMoreOfWhatItDoesOnBootFour(context, look);
        }
    }

    private static void doesMoreOfWhatItDoesOnBootFour(ConfigurableApplicationContext context, Look look) {
        Wares wares = context.getBean(Wares.class);
        wares.twice(new Order(7, "tea"));
        wares.twice(new Order(17, "tea"));
        wares.see(18);
        wares.send(new Order(19, "tea"));

        look.awaitShipment(7, "batch", 0, 1);
        await().untilAsserted(() -> assertThat(look.shipments(17))
                .extracting(row -> row.get("speed"))
                .containsExactlyInAnyOrder("batch", "handled"));
        look.awaitShipment(18, "event", 0, 1);
        look.awaitShipment(19, "template", 0, 1);
        await("queue-micrometer")
                .until(() -> context.getBean(MeterRegistry.class)
                                .get("acidq.handler")
                                .tags("engine", "wares", "queue", "wares.batch", "outcome", "done")
                                .timer()
                                .count()
                        == 2);
    }

    /** Without a codec of its own; Boot 3.5 brings Jackson 2 only. It was a NoClassDefFoundError. */
    private static void saysThatJackson3IsMissing(Store store) {
        assertThatThrownBy(() -> Engine.builder(store).build())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("Jackson 3", "tools.jackson.core:jackson-databind", "Codec");
    }

    private static ConfigurableApplicationContext start(ServerKind kind) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        return new SpringApplicationBuilder(BootThreeApplication.class)
                .web(WebApplicationType.NONE) // the tests have a servlet container, and the application has none
                .run(database.springArguments());
    }

    private record Look(JdbcTemplate jdbc, DeadLetters dead) {

        List<Map<String, Object>> shipments(long order) {
            return jdbc.queryForList("SELECT speed, headers, attempt FROM shipments WHERE order_id = ?", order);
        }

        void awaitShipment(long order, String speed, int headers, int attempt) {
            await().untilAsserted(() -> assertThat(shipments(order))
                    .containsExactly(Map.of("speed", speed, "headers", headers, "attempt", attempt)));
        }

        void awaitDeadLetter(String cause, int attempts) {
            await().untilAsserted(() -> assertThat(dead.list(OrderService.PLACED, 10))
                    .anySatisfy(letter -> {
                        assertThat(letter.error()).contains(cause);
                        assertThat(letter).extracting(DeadLetter::attempts).isEqualTo(attempts);
                    }));
        }
    }
}
