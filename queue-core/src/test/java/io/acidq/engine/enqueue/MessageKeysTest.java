package io.acidq.engine.enqueue;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.OnDuplicate;
import io.acidq.config.QueueConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MessageKeysTest {

    private static final QueueConfig PLAIN = QueueConfig.defaults();
    private static final QueueConfig DEBOUNCING = PLAIN.withOnDuplicate(OnDuplicate.debounce());

    @Test
    void refusesAPolicyWithoutAKey() {
        assertThatThrownBy(
                        () -> MessageKeys.withQueueDefaults("q", options().onDuplicate(OnDuplicate.replace()), PLAIN))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("replace")
                .hasMessageContaining("'q'")
                .hasMessageContaining("key(");
    }

    @Test
    void ignoresThePolicyOfTheQueueForAMessageWithoutAKey() {
        assertThat(MessageKeys.withQueueDefaults("q", options(), DEBOUNCING)).isEqualTo(options());
    }

    @Test
    void refusesADebounceWithoutADelayAndNamesItsOrigin() {
        assertThatThrownBy(() -> MessageKeys.withQueueDefaults(
                        "q", options().key("k").onDuplicate(OnDuplicate.debounce()), PLAIN))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("delay")
                .hasMessageNotContaining("default");
        assertThatThrownBy(() ->
                        MessageKeys.withQueueDefaults("q", options().key("k").delay(Duration.ZERO), DEBOUNCING))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("the default of this queue");
    }

    @Test
    void prefersThePolicyOfTheCallToThatOfTheQueue() {
        var own = options().key("k").onDuplicate(OnDuplicate.reject());
        assertThat(MessageKeys.policy(MessageKeys.withQueueDefaults("q", own, DEBOUNCING)))
                .isEqualTo(OnDuplicate.reject());
        assertThat(MessageKeys.policy(
                        MessageKeys.withQueueDefaults("q", options().key("k").delay(Duration.ofHours(1)), DEBOUNCING)))
                .isEqualTo(OnDuplicate.debounce());
        assertThat(MessageKeys.policy(options().key("k"))).isEqualTo(OnDuplicate.ignore());
    }

    @Test
    void usesTheMessageKeyAsOrderingKeyWhereASuccessorIsPossible() {
        var replacing = options().key("k").onDuplicate(OnDuplicate.replace());
        assertThat(MessageKeys.orderingKey(replacing)).isEqualTo("k");
        assertThat(MessageKeys.orderingKey(replacing.orderingKey("o"))).isEqualTo("o");
        assertThat(MessageKeys.orderingKey(options().key("k"))).isNull();
    }
}
