package io.acidq.spring.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageRejectedException;
import io.acidq.spring.QueueName;
import io.acidq.spring.QueueTemplate;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;

class QueueTemplateTest {

    record Order(long id) {}

    @Target(ElementType.FIELD)
    @Retention(RetentionPolicy.RUNTIME)
    @QueueName("cancelled")
    @interface Cancelled {}

    static class Shop {

        final QueueTemplate<Order> placed;
        final QueueTemplate<String> mails;

        @Autowired
        @Cancelled
        QueueTemplate<Order> cancelled;

        @Autowired
        @Lazy
        @QueueName("lazy")
        QueueTemplate<Order> lazy;

        @Autowired
        @QueueName("provided")
        ObjectProvider<QueueTemplate<Order>> provided;

        Shop(@QueueName("${shop.queue}") QueueTemplate<Order> placed, @QueueName("mails") QueueTemplate<String> mails) {
            this.placed = placed;
            this.mails = mails;
        }
    }

    private final FakeStore store = new FakeStore();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void isInjectedForEachQueueAndType() {
        store.refresh(context, Shop.class);
        Shop shop = context.getBean(Shop.class);

        Enqueued placed = shop.placed.enqueue(new Order(1));
        shop.mails.enqueue("hello", EnqueueOptions.options().key("k"));
        shop.cancelled.enqueue(new Order(2));
        shop.lazy.enqueue(new Order(3));
        shop.provided.getObject().enqueue(new Order(4));

        assertThat(placed.isAdded()).isTrue();
        assertThat(store.queues()).containsExactly("orders", "mails", "cancelled", "lazy", "provided");
        assertThat(store.keys()).containsExactly(null, "k", null, null, null);
        assertThat(shop.mails.type()).isEqualTo(String.class);
    }

    @Test
    void enqueuesSeveralPayloadsInOneCall() {
        QueueTemplate<Order> orders = QueueTemplate.of(store, "orders", Order.class);

        orders.enqueueAll(
                List.of(new Order(1), new Order(2)),
                order -> EnqueueOptions.options().key("" + order.id()));
        orders.enqueueAll(List.of());

        assertThat(store.keys()).containsExactly("1", "2");
        assertThat(store.bulks).isEqualTo(1);
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void refusesAPayloadOfAnotherType() {
        QueueTemplate orders = QueueTemplate.of(store, "orders", Order.class);

        assertThatThrownBy(() -> orders.enqueue("no order"))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("'orders'")
                .hasMessageContaining("java.lang.String");
        assertThatThrownBy(() -> orders.enqueue(null)).isInstanceOf(MessageRejectedException.class);
    }

    @SuppressWarnings("unused")
    static class WithoutName {
        WithoutName(QueueTemplate<Order> orders) {}
    }

    @SuppressWarnings({"unused", "rawtypes"})
    static class WithoutType {
        WithoutType(@QueueName("orders") QueueTemplate orders) {}
    }

    @SuppressWarnings("unused")
    static class WithBadName {
        WithBadName(@QueueName("no queue") QueueTemplate<Order> orders) {}
    }

    @Test
    void namesTheInjectionPointAndTheProblem() {
        assertRefused(WithoutName.class, "annotate it with @QueueName");
        assertRefused(WithoutType.class, "QueueTemplate<Order>");
        assertRefused(WithBadName.class, "'no queue' is not allowed");
    }

    private void assertRefused(Class<?> bean, String words) {
        try (AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext()) {
            assertThatThrownBy(() -> store.refresh(own, bean))
                    .hasStackTraceContaining("QueueMisuseException")
                    .hasStackTraceContaining(words)
                    .hasStackTraceContaining(bean.getSimpleName());
        }
    }

    static class OwnTemplate {
        @org.springframework.context.annotation.Bean
        QueueTemplate<Order> own(FakeStore store) {
            return QueueTemplate.of(store, "own", Order.class);
        }
    }

    @Test
    void prefersATemplateOfTheApplicationForItsType() {
        context.registerBean(FakeStore.class, () -> store, d -> d.setAutowireCandidate(true));
        context.register(OwnTemplate.class);
        context.registerBean(MailAndOrder.class);
        context.register(PublishConfiguration.class);
        context.registerBean(io.acidq.store.Store.class, store::store);
        context.refresh();

        MailAndOrder places = context.getBean(MailAndOrder.class);
        assertThat(places.orders.queue()).isEqualTo("own");
        assertThat(places.mails.queue()).isEqualTo("mails");
    }

    static class MailAndOrder {
        final QueueTemplate<Order> orders;
        final QueueTemplate<String> mails;

        MailAndOrder(QueueTemplate<Order> orders, @QueueName("mails") QueueTemplate<String> mails) {
            this.orders = orders;
            this.mails = mails;
        }
    }
}
