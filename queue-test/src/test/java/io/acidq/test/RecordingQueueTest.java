package io.acidq.test;

import static io.acidq.EnqueueOptions.options;
import static io.acidq.test.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Enqueued;
import io.acidq.KeyTakenException;
import io.acidq.OnDuplicate;
import java.time.Duration;
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

    @Test
    void doesWithATakenKeyWhatTheOptionsSay() {
        var later = options().key("k").delay(Duration.ofHours(1)).onDuplicate(OnDuplicate.replace());
        Enqueued first = queue.enqueue("mail", "a", later);
        Assertions.assertThat(queue.enqueue("mail", "b", later))
                .isEqualTo(new Enqueued(first.id(), Enqueued.Result.REPLACED));
        Assertions.assertThat(queue.in("mail"))
                .singleElement()
                .satisfies(r -> Assertions.assertThat(r.message().payload()).isEqualTo("b"));
        assertThatThrownBy(() -> queue.enqueue("mail", "c", options().key("k").onDuplicate(OnDuplicate.reject())))
                .isInstanceOf(KeyTakenException.class);

        queue.enqueue("mail", "now", options().key("n"));
        Enqueued next = queue.enqueue("mail", "next", options().key("n").onDuplicate(OnDuplicate.replace()));
        Assertions.assertThat(next.result()).isEqualTo(Enqueued.Result.SUCCESSOR);
        Assertions.assertThat(queue.in("mail")).hasSize(3);
    }
}
