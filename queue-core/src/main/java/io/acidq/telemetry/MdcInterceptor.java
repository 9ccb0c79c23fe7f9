package io.acidq.telemetry;

import io.acidq.Delivery;
import io.acidq.Interceptor;
import io.acidq.Outcome;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Puts the message into the logging context (MDC) while its handler runs, so that each log line of the handler names the message. Afterwards the context is
 * restored, without entries that the handler left in it. Thread-safe.
 */
public final class MdcInterceptor implements Interceptor {

    /** The queue's name. */
    public static final String QUEUE = "acidq.queue";

    /** The message's id; absent where a batch handler takes several. */
    public static final String MESSAGE = "acidq.message";

    /** How many messages a batch handler takes; absent for one. */
    public static final String MESSAGES = "acidq.messages";

    /** The message key, if it has one. */
    public static final String KEY = "acidq.key";

    /** The number of the attempt. */
    public static final String ATTEMPT = "acidq.attempt";

    /** The number of the claim. */
    public static final String CLAIM = "acidq.claim";

    @Override
    public Handling handling(List<Delivery> deliveries) {
        Map<String, String> before = MDC.getCopyOfContextMap();
        Delivery first = deliveries.get(0);
        MDC.put(QUEUE, first.id().queue());
        if (deliveries.size() == 1) {
            MDC.put(MESSAGE, first.id().toString());
            MDC.put(ATTEMPT, Integer.toString(first.attempt()));
            MDC.put(CLAIM, Integer.toString(first.claimNo()));
            first.key().ifPresentOrElse(key -> MDC.put(KEY, key), () -> MDC.remove(KEY));
        } else {
            MDC.put(MESSAGES, Integer.toString(deliveries.size()));
        }
        return new Restoring(before);
    }

    /** Restores the context. */
    private record Restoring(@Nullable Map<String, String> before) implements Handling {

        @Override
        public void ended(List<Outcome> outcomes) {
            restore();
        }

        @Override
        public void failed(Throwable failure) {
            restore();
        }

        private void restore() {
            if (before == null || before.isEmpty()) {
                MDC.clear();
            } else {
                MDC.setContextMap(before);
            }
        }
    }
}
