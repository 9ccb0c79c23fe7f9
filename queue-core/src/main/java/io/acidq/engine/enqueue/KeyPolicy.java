package io.acidq.engine.enqueue;

import io.acidq.EnqueueOptions;
import io.acidq.MessageRejectedException;
import io.acidq.OnDuplicate;
import io.acidq.OnDuplicate.Action;
import io.acidq.config.QueueConfig;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which policy a message with a key is enqueued with, and what follows from it before any SQL. */
final class KeyPolicy {

    private KeyPolicy() {}

    /** The options with what the queue's settings add to them. */
    static EnqueueOptions choose(String queue, EnqueueOptions options, QueueConfig config) {
        OnDuplicate own = options.onDuplicate();
        if (options.key() == null) {
            if (own != null) {
                throw new MessageRejectedException("onDuplicate(" + name(own) + ") for queue '" + queue
                        + "' without a key: say by key(…) what makes two messages duplicates, or leave it out");
            }
            return options;
        }
        OnDuplicate preset = config.onDuplicate();
        EnqueueOptions chosen = own != null || preset == null ? options : options.onDuplicate(preset);
        if (of(chosen).action() == Action.DEBOUNCE && isDueAtOnce(chosen)) {
            throw new MessageRejectedException("debounce for queue '" + queue
                    + "' without a delay: it pushes the due time out, so say by delay(…) or at(…) when the message is due"
                    + (own == null ? "; it is the queue's default, and onDuplicate(…) overrules it" : ""));
        }
        return chosen;
    }

    static OnDuplicate of(EnqueueOptions options) {
        OnDuplicate chosen = options.onDuplicate();
        return chosen == null ? OnDuplicate.ignore() : chosen;
    }

    /** A message that may be succeeded must not run beside its successor. */
    static @Nullable String orderKey(EnqueueOptions options) {
        return options.orderingKey() == null && of(options).replaces() ? options.key() : options.orderingKey();
    }

    private static boolean isDueAtOnce(EnqueueOptions options) {
        Duration delay = options.delay();
        return options.at() == null && (delay == null || delay.isZero());
    }

    private static String name(OnDuplicate policy) {
        return policy.action().name().toLowerCase(Locale.ROOT);
    }
}
