package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.BatchHandler.Item;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.config.Listener.BatchHandlerAdapter;
import io.acidq.spring.QueueListener;
import io.acidq.spring.listener.ListenerTest.Arrived;
import io.acidq.spring.listener.ListenerTest.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.messaging.Message;

/** A listener in a class with type variables, which the class of the bean resolves. */
class GenericListenerTest {

    abstract static class Base<T> {

        final List<Object> seen = new ArrayList<>();

        @QueueListener(queue = "plain")
        void plain(T payload) {
            seen.add(payload);
        }

        @QueueListener(queue = "message")
        void message(Message<T> message) {
            seen.add(message.getPayload());
        }

        @QueueListener(queue = "batch", batch = "true")
        void batch(List<T> payloads) {
            seen.addAll(payloads);
        }

        @QueueListener(queue = "messages", batch = "true")
        void messages(List<Message<T>> messages) {
            messages.forEach(message -> seen.add(message.getPayload()));
        }
    }

    static class Orders extends Base<Order> {}

    @Test
    void decodesPayloadsAsTheTypesOfTheBeanClass() throws Exception {
        try (StartedListeners listeners = new StartedListeners(Orders.class)) {
            Arrived arrived = (Arrived) Arrived.with(Map.of());
            for (String queue : List.of("plain", "message", "batch", "messages")) {
                Listener<Object> listener = listeners.of(queue);
                assertThat(listener.payloadType()).as(queue).isEqualTo(Order.class);
                if (listener.handler() instanceof BatchHandlerAdapter<Object> batchHandlerAdapter) {
                    batchHandlerAdapter.handleAll(
                            List.of(new Item<>(new Order(2), arrived), new Item<>(new Order(3), arrived)));
                } else {
                    listener.handler().handle(new Order(1), arrived);
                }
            }

            assertThat(listeners.bean(Orders.class).seen)
                    .containsExactly(
                            new Order(1), new Order(1), new Order(2), new Order(3), new Order(2), new Order(3));
        }
    }

    interface Takes<T> {
        @QueueListener(queue = "q")
        default void take(T payload) {}
    }

    static class TakesOrders implements Takes<Order> {}

    @Test
    void decodesPayloadsOfAnInterfaceMethod() {
        try (StartedListeners listeners = new StartedListeners(TakesOrders.class)) {
            assertThat(listeners.of("q").payloadType()).isEqualTo((Object) Order.class);
        }
    }

    static class Raw<T> {
        @QueueListener(queue = "q")
        void take(T payload) {}
    }

    static class RawBatch<E> {
        @QueueListener(queue = "q", batch = "true")
        void take(List<E> payloads) {}
    }

    @Test
    void namesTheCorrectionIfATypeVariableIsUnresolved() {
        assertThatThrownBy(() -> new StartedListeners(Raw.class).close())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining(
                        "Raw.take(Object) of bean 'bean' takes T, and Raw does not say of which class that is")
                .hasMessageContaining("class Orders extends Raw<Order>, or write the class in place of T");
        assertThatThrownBy(() -> new StartedListeners(RawBatch.class).close())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("takes E, and RawBatch does not say");
    }

    interface Ships<T> {
        void ship(T payload);
    }

    static class Shipping implements Ships<Order> {
        @Override
        @QueueListener(queue = "q")
        public void ship(Order order) {}
    }

    /** Spring's advice was to move the method to an interface, where it already was. */
    @Test
    void explainsThatAProxyOfAGenericInterfaceCannotBeCalled() {
        ProxyFactory proxy = new ProxyFactory(new Shipping());
        proxy.addAdvice((MethodInterceptor) call -> call.proceed());

        assertThatThrownBy(() -> new StartedListeners(
                                Object.class,
                                Map.of(),
                                context -> context.registerBean(
                                        "shipping", Ships.class, () -> (Ships<?>) proxy.getProxy()))
                        .close())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining(
                        "Shipping.ship(Order) of bean 'shipping' cannot be called through the bean's proxy")
                .hasMessageContaining("these parameter types: let the proxy extend the class");
    }
}
