package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueListener;
import io.acidq.spring.listener.ListenerTest.Arrived;
import io.acidq.spring.listener.ListenerTest.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

class ListenerHeadersTest {

    static class Messages {

        final List<Object> seen = new ArrayList<>();

        @QueueListener(queue = "q")
        void ship(
                Message<Order> message,
                @Header("id") String id,
                @Header("timestamp") String timestamp,
                @Headers Map<String, String> headers) {
            seen.addAll(List.of(message.getHeaders(), message.getHeaders(), id, timestamp, headers));
        }
    }

    /** Both were generated at each call. */
    @Test
    void returnsTheIdAndTheTimeOfTheMessage() throws Exception {
        Instant enqueued = Instant.parse("2026-11-22T10:15:30.123456Z");
        UUID uid = UUID.randomUUID();
        Map<String, String> own = Map.of("id", "A-7", "timestamp", "noon", "region", "EU");
        Delivery delivery = new Arrived(
                new MessageId("q", 0, uid), Optional.empty(), Optional.empty(), own, 1, 0, 1, 1, enqueued, enqueued);

        try (StartedListeners listeners = new StartedListeners(Messages.class)) {
            listeners.of("q").handler().handle(new Order(1), delivery);
            List<Object> seen = listeners.bean(Messages.class).seen;

            MessageHeaders headers = (MessageHeaders) seen.get(0);
            assertThat(headers.getId()).isEqualTo(uid);
            assertThat(headers.getTimestamp()).isEqualTo(enqueued.toEpochMilli());
            assertThat(headers.get("region")).isEqualTo("EU");
            assertThat(seen.get(1)).isEqualTo(headers);
            assertThat(seen.subList(2, 5)).containsExactly("A-7", "noon", own);
        }
    }

    static class Times {

        final List<Object> seen = new ArrayList<>();

        @QueueListener(queue = "q")
        void ship(
                Order order,
                @Header("due") Instant due,
                @Header("wait") Duration wait,
                @Header("count") int count,
                @Header("end") Optional<Instant> end) {
            seen.addAll(List.of(due, wait, count, end));
        }
    }

    @Test
    void convertsHeadersToTimesAndDurations() throws Exception {
        try (StartedListeners listeners = new StartedListeners(Times.class)) {
            listeners
                    .of("q")
                    .handler()
                    .handle(
                            new Order(1),
                            Arrived.with(Map.of("due", "2026-11-22T10:15:30Z", "wait", "PT30S", "count", "3")));

            assertThat(listeners.bean(Times.class).seen)
                    .containsExactly(
                            Instant.parse("2026-11-22T10:15:30Z"), Duration.ofSeconds(30), 3, Optional.empty());
        }
    }

    record Region(String code, int zone) {}

    static class Regions {

        final List<Object> seen = new ArrayList<>();

        @QueueListener(queue = "q")
        void ship(Order order, @Header("region") Region region) {
            seen.add(region);
        }
    }

    static class MaybeRegions {
        @QueueListener(queue = "q")
        void ship(Order order, @Header("region") Optional<Region> region) {}
    }

    @Test
    void usesTheConversionServiceOfTheApplication() throws Exception {
        DefaultConversionService own = new DefaultConversionService();
        own.addConverter(String.class, Region.class, text -> new Region(text, text.length()));

        try (StartedListeners listeners = new StartedListeners(
                Regions.class,
                Map.of(),
                context -> context.registerBean("conversionService", ConversionService.class, () -> own))) {
            listeners.of("q").handler().handle(new Order(1), Arrived.with(Map.of("region", "EU")));

            assertThat(listeners.bean(Regions.class).seen).containsExactly(new Region("EU", 2));
        }
    }

    /** Every message failed. */
    @Test
    void refusesToStartWithAHeaderOfATypeWithoutConversion() {
        for (Class<?> bean : List.of(Regions.class, MaybeRegions.class)) {
            assertThatThrownBy(() -> new StartedListeners(bean).close())
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining(bean.getSimpleName() + ".ship(Order, ")
                    .hasMessageContaining("to which a text cannot be converted: take it as String");
        }
    }
}
