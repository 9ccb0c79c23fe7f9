package io.acidq.test;

import io.acidq.EnqueueOptions;
import io.acidq.NewMessage;
import io.acidq.test.RecordingQueue.Recorded;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;

/** Assertions on the messages of a {@link RecordingQueue}: {@code assertThat(queue).enqueued("order.placed", order).withKey("17")}. */
public final class QueueAssert extends AbstractAssert<QueueAssert, RecordingQueue> {

    private List<Recorded> found = List.of();
    private String expected = "a message";

    private QueueAssert(RecordingQueue actual) {
        super(actual, QueueAssert.class);
    }

    /** Returns assertions on the recorded messages. */
    public static QueueAssert assertThat(RecordingQueue actual) {
        return new QueueAssert(actual);
    }

    /** Returns assertions on the messages in the real tables. */
    public static TestQueueAssert assertThat(TestQueue actual) {
        return new TestQueueAssert(actual);
    }

    /** Verifies that a message with an equal payload was enqueued to the queue. Further assertions apply to such messages. */
    public QueueAssert enqueued(String queue, Object payload) {
        expected = "a message of '" + queue + "' with payload " + payload;
        found = actual.in(queue);
        return narrow("", m -> m.payload().equals(payload));
    }

    /** Verifies that one of the messages has this message key. */
    public QueueAssert withKey(String key) {
        return narrow(", key '" + key + "'", m -> Objects.equals(m.options().key(), key));
    }

    /** Verifies that one of the messages has this ordering key. */
    public QueueAssert withOrderingKey(String key) {
        return narrow(
                ", ordering key '" + key + "'", m -> Objects.equals(m.options().orderingKey(), key));
    }

    /** Verifies that one of the messages has equal options. */
    public QueueAssert withOptions(EnqueueOptions options) {
        return narrow(", options " + options, m -> m.options().equals(options));
    }

    /** Verifies that no message was enqueued to the queue. */
    public QueueAssert enqueuedNothing(String queue) {
        List<Recorded> all = actual.in(queue);
        if (!all.isEmpty()) {
            failWithMessage("expected nothing in '%s', found %s", queue, all);
        }
        return this;
    }

    private QueueAssert narrow(String description, Predicate<NewMessage> predicate) {
        expected += description;
        List<Recorded> matching =
                found.stream().filter(r -> predicate.test(r.message())).toList();
        if (matching.isEmpty()) {
            failWithMessage("expected %s, but none of the messages that matched so far does: %s", expected, found);
        }
        found = matching;
        return this;
    }
}
