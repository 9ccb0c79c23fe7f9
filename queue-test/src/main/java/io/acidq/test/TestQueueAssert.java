package io.acidq.test;

import io.acidq.QueueMisuseException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/** Assertions on the enqueued messages of a {@link TestQueue}: {@code assertThat(queue).enqueued(Order.class).withKey("17").once()}. */
public final class TestQueueAssert extends AbstractAssert<TestQueueAssert, TestQueue> {

    TestQueueAssert(TestQueue actual) {
        super(actual, TestQueueAssert.class);
    }

    /** Verifies that a message with a payload of this type is enqueued, and neither completed nor dead. Returns assertions on all such messages. */
    public <T> EnqueuedAssert<T> enqueued(Class<T> type) {
        isNotNull();
        require(type);
        return new EnqueuedAssert<>(actual.messages(), type, actual.codec());
    }

    /** Verifies that no message with a payload of this type is enqueued. */
    public TestQueueAssert notEnqueued(Class<?> type) {
        return notEnqueued(type, any -> true);
    }

    /** Verifies that no message with a payload of this type that matches the predicate is enqueued. */
    public <T> TestQueueAssert notEnqueued(Class<T> type, Predicate<T> predicate) {
        isNotNull();
        require(type);
        List<EnqueuedMessage> all = actual.messages();
        List<EnqueuedMessage> found = all.stream()
                .filter(m -> EnqueuedAssert.payload(m, type, actual.codec())
                        .filter(predicate)
                        .isPresent())
                .toList();
        if (!found.isEmpty()) {
            failWithMessage("expected no such message with a %s, found:%s", type.getSimpleName(), list(found));
        }
        return this;
    }

    /** Verifies that no message is enqueued in any queue. */
    public TestQueueAssert isEmpty() {
        isNotNull();
        List<EnqueuedMessage> all = actual.messages();
        if (!all.isEmpty()) {
            failWithMessage("expected nothing to be enqueued, found:%s", list(all));
        }
        return this;
    }

    private static void require(Class<?> type) {
        if (type == null) {
            throw new QueueMisuseException("the payload type is null: give the class, as in enqueued(Order.class)");
        }
    }

    static String list(List<EnqueuedMessage> messages) {
        return messages.isEmpty()
                ? " nothing"
                : messages.stream().map(TestQueueAssert::line).collect(Collectors.joining());
    }

    private static String line(EnqueuedMessage m) {
        return "\n  '" + m.id().queue() + "' " + m.type()
                + m.key().map(k -> ", key '" + k + "'").orElse("")
                + m.orderingKey().map(k -> ", ordering key '" + k + "'").orElse("")
                + (m.headers().isEmpty() ? "" : ", headers " + m.headers())
                + (m.dueIn().isNegative() || m.dueIn().isZero() ? ", due" : ", due in " + m.dueIn())
                + ", payload " + EnqueuedAssert.text(m);
    }
}
