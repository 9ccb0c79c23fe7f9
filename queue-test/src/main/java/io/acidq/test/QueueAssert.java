package io.acidq.test;

import io.acidq.EnqueueOptions;
import io.acidq.NewMessage;
import io.acidq.test.RecordingQueue.Recorded;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;

/** Assertions on what was enqueued: {@code assertThat(queue).enqueued("order.placed", order).withKey("17")}. */
public final class QueueAssert extends AbstractAssert<QueueAssert, RecordingQueue> {

    private List<Recorded> found = List.of();
    private String sought = "a message";

    private QueueAssert(RecordingQueue actual) {
        super(actual, QueueAssert.class);
    }

    public static QueueAssert assertThat(RecordingQueue actual) {
        return new QueueAssert(actual);
    }

    /** What is enqueued over the real tables. */
    public static TestQueueAssert assertThat(TestQueue actual) {
        return new TestQueueAssert(actual);
    }

    /** Some message with an equal payload was enqueued to the queue; what follows is about such messages. */
    public QueueAssert enqueued(String queue, Object payload) {
        sought = "a message of '" + queue + "' with payload " + payload;
        found = actual.in(queue);
        return narrow("", m -> m.payload().equals(payload));
    }

    /** One of them has this message key. */
    public QueueAssert withKey(String key) {
        return narrow(", key '" + key + "'", m -> Objects.equals(m.options().key(), key));
    }

    /** One of them has this ordering key. */
    public QueueAssert withOrderingKey(String key) {
        return narrow(
                ", ordering key '" + key + "'", m -> Objects.equals(m.options().orderingKey(), key));
    }

    /** One of them has options equal to these. */
    public QueueAssert withOptions(EnqueueOptions options) {
        return narrow(", options " + options, m -> m.options().equals(options));
    }

    /** Nothing was enqueued to the queue. */
    public QueueAssert enqueuedNothing(String queue) {
        List<Recorded> all = actual.in(queue);
        if (!all.isEmpty()) {
            failWithMessage("expected nothing in '%s', found %s", queue, all);
        }
        return this;
    }

    private QueueAssert narrow(String more, Predicate<NewMessage> fits) {
        sought += more;
        List<Recorded> left = found.stream().filter(r -> fits.test(r.message())).toList();
        if (left.isEmpty()) {
            failWithMessage("expected %s; of the messages that fitted so far none does: %s", sought, found);
        }
        found = left;
        return this;
    }
}
