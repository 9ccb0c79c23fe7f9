package io.acidq.spring.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.spring.PublishedTo;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.annotation.AliasFor;

class PublishedEventListenerTest {

    @PublishedTo(
            queue = "${shop.queue}",
            key = "id",
            orderingKey = "#event.customer",
            delay = "30s",
            headers = "source='events'",
            unless = "customer == 'test'")
    record Placed(long id, String customer) {}

    @PublishedTo(queue = "changed", payload = "content", condition = "content != null")
    record Changed<T>(T content) {}

    @PublishedTo(queue = "one")
    @PublishedTo(queue = "two", key = "'k'")
    static class ToTwo {}

    static class BelowTwo extends ToTwo {}

    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @PublishedTo(queue = "meta")
    @interface Mailed {

        @AliasFor(annotation = PublishedTo.class, attribute = "key")
        String by();
    }

    @Mailed(by = "'mail'")
    record Mail(String text) {}

    @PublishedTo(queue = "old", payload = "text")
    static class OldStyle extends ApplicationEvent {
        private static final long serialVersionUID = 1L;

        OldStyle(Object source) {
            super(source);
        }

        public String getText() {
            return "old";
        }
    }

    @PublishedTo(queue = "bad", key = "nothing")
    record Bad(long id) {}

    @PublishedTo(queue = "unknown", unless = "#evnt?.id == 1")
    record Unknown(long id) {}

    @PublishedTo(queue = "early", condition = "#payload != null")
    record Early(long id) {}

    @PublishedTo(queue = "undecided", unless = "test")
    record Undecided(Boolean test) {}

    record Plain(long id) {}

    static class PlacedListener {

        final List<Object> heard = new ArrayList<>();

        @EventListener
        void on(Placed placed) {
            heard.add(placed);
        }
    }

    private final FakeStore store = new FakeStore();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @BeforeEach
    void start() {
        SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
        multicaster.setTaskExecutor(task -> later.add(task));
        context.registerBean("applicationEventMulticaster", SimpleApplicationEventMulticaster.class, () -> multicaster);
        store.refresh(context, PlacedListener.class);
    }

    private final List<Runnable> later = new ArrayList<>();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void enqueuesAnAnnotatedEventBeforeTheCallReturnsWithAnyMulticaster() {
        context.publishEvent(new Placed(7, "ann"));

        assertThat(store.queues()).containsExactly("orders");
        assertThat(store.only().payload()).isEqualTo(new Placed(7, "ann"));
        assertThat(store.only().options().key()).isEqualTo("7");
        assertThat(store.only().options().orderingKey()).isEqualTo("ann");
        assertThat(store.only().options().delay()).isEqualTo(Duration.ofSeconds(30));
        assertThat(store.only().options().headers()).isEqualTo(Map.of("source", "events"));
    }

    @Test
    void passesTheEventToItsListenersToo() {
        context.publishEvent(new Placed(7, "ann"));
        later.forEach(Runnable::run);

        assertThat(context.getBean(PlacedListener.class).heard).containsExactly(new Placed(7, "ann"));
        assertThat(store.published).hasSize(1);
    }

    @Test
    void enqueuesOnlyEventsThatMeetConditionAndUnless() {
        context.publishEvent(new Placed(7, "test"));
        context.publishEvent(new Changed<>(null));

        assertThat(store.published).isEmpty();
    }

    @Test
    void supportsGenericEvents() {
        context.publishEvent(new Changed<>(new Plain(1)));
        context.publishEvent(new Changed<>(List.of("a", "b")));

        assertThat(store.payloads()).containsExactly(new Plain(1), "a", "b");
    }

    @Test
    void enqueuesToSeveralQueuesAndForSubtypesToo() {
        context.publishEvent(new BelowTwo());

        assertThat(store.queues()).containsExactly("one", "two");
        assertThat(store.keys()).containsExactly(null, "k");
    }

    @Test
    void worksAsAMetaAnnotation() {
        context.publishEvent(new Mail("hello"));

        assertThat(store.queues()).containsExactly("meta");
        assertThat(store.keys()).containsExactly("mail");
    }

    @Test
    void supportsSubclassesOfApplicationEvent() {
        context.publishEvent(new OldStyle(this));

        assertThat(store.payloads()).containsExactly("old");
    }

    @Test
    void ignoresOtherEvents() {
        store.active = false;

        context.publishEvent(new Plain(1));

        assertThat(store.published).isEmpty();
    }

    @Test
    void refusesAnEventWithoutATransactionBeforeOtherListenersAreCalled() {
        store.active = false;

        assertThatThrownBy(() -> context.publishEvent(new Placed(1, "ann")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@PublishedTo on " + Placed.class.getName())
                .hasMessageContaining("@Transactional");
        assertThat(later).isEmpty();
    }

    @Test
    void refusesAnEventInAReadOnlyTransaction() {
        store.readOnly = true;

        assertThatThrownBy(() -> context.publishEvent(new Placed(1, "ann")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("read-only");
    }

    @Test
    void namesTheExpressionThatCannotBeEvaluated() {
        assertThatThrownBy(() -> context.publishEvent(new Bad(1)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("@PublishedTo on " + Bad.class.getName())
                .hasMessageContaining("'nothing'");
    }

    /** The event was published and its condition ignored. */
    @Test
    void refusesAVariableThatDoesNotExistAtTheFirstEventOfItsType() {
        assertThatThrownBy(() -> context.publishEvent(new Unknown(1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@PublishedTo on " + Unknown.class.getName() + ": unless '#evnt?.id == 1' names")
                .hasMessageContaining("(there are: #event, #payload, #root, #this)");
        assertThatThrownBy(() -> context.publishEvent(new Early(1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("condition '#payload != null' names the variable #payload")
                .hasMessageContaining("(there are: #event, #root, #this)");
        assertThat(store.published).isEmpty();
        assertThat(later).isEmpty();
    }

    @Test
    void failsAnEventWhoseConditionIsNeitherTrueNorFalse() {
        assertThatThrownBy(() -> context.publishEvent(new Undecided(null)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining(
                        "@PublishedTo on " + Undecided.class.getName() + ": unless 'test' evaluates to null");
        assertThat(store.published).isEmpty();
    }
}
