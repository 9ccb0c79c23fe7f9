package io.acidq.test;

import static io.acidq.EnqueueOptions.options;
import static io.acidq.test.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Enqueued;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class RecordingQueueTest {

    private final RecordingQueue queue = new RecordingQueue();

    @Test
    void findsWhatWasEnqueuedByPayloadAndOptions() {
        queue.enqueue("mail", "hello", options().key("k").orderingKey("o"));
        assertThat(queue).enqueued("mail", "hello").withKey("k").withOrderingKey("o");
        assertThat(queue).enqueuedNothing("other");
    }

    @Test
    void failsNamingWhatWasSoughtAndWhatWasThere() {
        queue.enqueue("mail", "hello", options().key("k"));
        assertThatThrownBy(() -> assertThat(queue).enqueued("mail", "bye"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("bye")
                .hasMessageContaining("hello");
        assertThatThrownBy(() -> assertThat(queue).enqueued("mail", "hello").withKey("x"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("key 'x'");
        assertThatThrownBy(() -> assertThat(queue).enqueuedNothing("mail")).isInstanceOf(AssertionError.class);
    }

    @Test
    void answersASecondUseOfAKeyAsTheRealQueueDoes() {
        Enqueued first = queue.enqueue("mail", "a", options().key("k"));
        Enqueued second = queue.enqueue("mail", "b", options().key("k"));
        Assertions.assertThat(second.isDuplicate()).isTrue();
        Assertions.assertThat(second.id()).isEqualTo(first.id());
        Assertions.assertThat(queue.in("mail")).hasSize(1);
        Assertions.assertThat(queue.enqueue("other", "b", options().key("k")).isDuplicate())
                .isFalse();
        queue.clear();
        Assertions.assertThat(queue.in("mail")).isEmpty();
    }
}
