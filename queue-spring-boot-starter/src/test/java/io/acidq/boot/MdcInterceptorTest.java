package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Delivery;
import io.acidq.Interceptor.Handling;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.telemetry.MdcInterceptor;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class MdcInterceptorTest {

    private static final MessageId ID = new MessageId("orders", 3, UUID.randomUUID());

    private final MdcInterceptor mdc = new MdcInterceptor();

    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void namesTheMessageWhileItsHandlerRuns() {
        Handling handling = mdc.handling(List.of(delivery(Optional.of("order-7"))));

        assertThat(MDC.getCopyOfContextMap())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "acidq.queue", "orders",
                        "acidq.message", ID.toString(),
                        "acidq.key", "order-7",
                        "acidq.attempt", "2",
                        "acidq.claim", "5"));
        handling.ended(List.of(Outcome.done()));
        assertThat(context()).isEmpty();
    }

    @Test
    void restoresTheContextAndRemovesEntriesOfTheHandler() {
        MDC.put("user", "ann");
        MDC.put("acidq.key", "of another");
        Handling handling = mdc.handling(List.of(delivery(Optional.empty())));
        MDC.put("left", "behind");
        MDC.remove("user");

        handling.failed(new IllegalStateException());

        assertThat(context()).isEqualTo(Map.of("user", "ann", "acidq.key", "of another"));
    }

    @Test
    void showsNoKeyOfAnotherMessage() {
        MDC.put("acidq.key", "of another");

        mdc.handling(List.of(delivery(Optional.empty())));

        assertThat(MDC.get("acidq.key")).isNull();
    }

    @Test
    void showsTheNumberOfMessagesOfABatch() {
        Delivery one = delivery(Optional.of("order-7"));

        mdc.handling(List.of(one, one, one));

        assertThat(context()).isEqualTo(Map.of("acidq.queue", "orders", "acidq.messages", "3"));
    }

    private static Map<String, String> context() {
        Map<String, String> map = MDC.getCopyOfContextMap();
        return map == null ? Map.of() : map;
    }

    private static Delivery delivery(Optional<String> key) {
        Map<String, Object> answers = Map.of("id", ID, "key", key, "attempt", 2, "claimNo", 5);
        return (Delivery) Proxy.newProxyInstance(
                Delivery.class.getClassLoader(),
                new Class<?>[] {Delivery.class},
                (proxy, method, args) -> answers.get(method.getName()));
    }
}
