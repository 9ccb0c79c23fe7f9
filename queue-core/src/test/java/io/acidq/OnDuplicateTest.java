package io.acidq;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OnDuplicateTest {

    @Test
    void refusesInvalidTimes() {
        assertThatThrownBy(() -> OnDuplicate.throttle(Duration.ZERO))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("period of throttle");
        assertThatThrownBy(() -> OnDuplicate.debounce(Duration.ofDays(40_000)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("longest wait");
        assertThatThrownBy(() -> new OnDuplicate(OnDuplicate.Action.THROTTLE, null))
                .isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> new OnDuplicate(OnDuplicate.Action.REPLACE, Duration.ofDays(1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("takes no time");
    }

    @Test
    void refusesADelayThatEndsAfterTheLongestWait() {
        OnDuplicate anHour = OnDuplicate.debounce(Duration.ofHours(1));
        assertThatThrownBy(() -> options().key("k").onDuplicate(anHour).delay(Duration.ofHours(2)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("PT2H");
        assertThatCode(() -> options().key("k").delay(Duration.ofHours(1)).onDuplicate(anHour))
                .doesNotThrowAnyException();
    }

    @Test
    void knowsWhichActionsReplace() {
        assertThat(OnDuplicate.replace().replaces()).isTrue();
        assertThat(OnDuplicate.debounce().replaces()).isTrue();
        assertThat(OnDuplicate.throttle(Duration.ofDays(1)).replaces()).isFalse();
        assertThat(OnDuplicate.ignore().replaces()).isFalse();
        assertThat(OnDuplicate.reject().replaces()).isFalse();
    }
}
