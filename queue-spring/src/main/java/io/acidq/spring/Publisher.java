package io.acidq.spring;

import io.acidq.NewMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/** Publishes what rules say, each to the queue of its transaction manager. Thread-safe. */
final class Publisher {

    private final QueueFinder queues;

    Publisher(QueueFinder queues) {
        this.queues = queues;
    }

    /**
     * Refuses where one of the rules cannot publish.
     *
     * @param otherwise what has not been done, for the message
     */
    void requireTransaction(List<PublishRule> rules, String otherwise) {
        for (PublishRule rule : rules) {
            queues.find(rule.transactionManager()).requireTransaction(rule, otherwise);
        }
    }

    /**
     * Publishes. All that the rules can refuse is refused before any of it is enqueued.
     *
     * @param contexts makes a context for each rule, so that no rule sees the {@code #payload} of another
     */
    void publish(List<PublishRule> rules, Supplier<EvaluationContext> contexts, @Nullable Object published) {
        Map<PublishRule, List<NewMessage>> messages = new LinkedHashMap<>();
        rules.forEach(rule -> messages.put(rule, rule.messages(contexts.get(), published)));
        messages.forEach((rule, all) -> {
            if (!all.isEmpty()) {
                queues.find(rule.transactionManager()).queue().enqueueAll(rule.queue(), all);
            }
        });
    }
}
