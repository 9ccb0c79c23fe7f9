package io.acidq.spring.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Inbox;
import io.acidq.QueueMisuseException;
import io.acidq.admin.AuditLog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.Operator;
import io.acidq.admin.QueueControl;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class LazyProxyTest {

    private final AtomicInteger asked = new AtomicInteger();
    private final QueueControl control = LazyProxy.of(QueueControl.class, () -> {
        asked.incrementAndGet();
        return new Paused();
    });

    /** Returns a result for "orders", and throws for other queues. */
    private static final class Paused implements QueueControl {

        @Override
        public boolean pause(String queue, Operator operator) {
            throw new QueueMisuseException("no queue '" + queue + "': name another");
        }

        @Override
        public boolean resume(String queue, Operator operator) {
            return true;
        }

        @Override
        public boolean isPaused(String queue) {
            return queue.equals("orders");
        }
    }

    @Test
    void requestsThePartOfTheEngineAtEachCallAndNotBefore() {
        assertThat(control).isEqualTo(control).isNotEqualTo("orders").hasToString("QueueControl of the engine");
        assertThat(control.hashCode()).isEqualTo(control.hashCode());
        assertThat(asked).hasValue(0);

        assertThat(control.isPaused("orders")).isTrue();
        assertThat(control.isPaused("others")).isFalse();
        assertThat(asked).hasValue(2);
    }

    @Test
    void rethrowsTheExceptionOfTheEngine() {
        assertThatThrownBy(() -> control.pause("nope", new Operator("me", "test")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageStartingWith("no queue 'nope'");
    }

    /** A bean can call it in its constructor, when the listeners are not known yet. */
    @Test
    void returnsAnInboxWithAWindowWithoutTheEngine() {
        Inbox inbox = new LazyProxy.LazyInbox(() -> {
            throw new AssertionError("the engine was asked for");
        });

        assertThat(inbox.withRetention(Duration.ofDays(1))).isNotNull();
        assertThatThrownBy(() -> inbox.withRetention(Duration.ZERO)).isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void isRegisteredForANativeImage() {
        RuntimeHints hints = new RuntimeHints();
        new LazyProxy.ProxyHints().registerHints(hints, null);

        for (Class<?> type :
                new Class<?>[] {DeadLetters.class, BlockedKeys.class, QueueControl.class, AuditLog.class}) {
            assertThat(RuntimeHintsPredicates.proxies().forInterfaces(type)).accepts(hints);
        }
    }
}
