package io.acidq.spring;

/**
 * What {@link QueueListener}s that name it as their {@code containerFactory} have in common: each attribute that an annotation leaves empty
 * is taken from here. Written as there, with placeholders and expressions; empty for none. Immutable.
 *
 * @param concurrency     workers, such as {@code 2-16}
 * @param mode            {@code transactional} or {@code external}
 * @param retry           the retry policy
 * @param timeout         how long one call may take
 * @param transactionSize how many messages one transaction may hold
 * @param errorHandler    the {@link QueueErrorHandler}
 */
public record ListenerDefaults(
        String concurrency, String mode, String retry, String timeout, String transactionSize, String errorHandler) {

    private static final ListenerDefaults NONE = new ListenerDefaults("", "", "", "", "", "");

    /** Nothing in common. */
    public static ListenerDefaults none() {
        return NONE;
    }

    public ListenerDefaults withConcurrency(String value) {
        return new ListenerDefaults(value, mode, retry, timeout, transactionSize, errorHandler);
    }

    public ListenerDefaults withMode(String value) {
        return new ListenerDefaults(concurrency, value, retry, timeout, transactionSize, errorHandler);
    }

    public ListenerDefaults withRetry(String value) {
        return new ListenerDefaults(concurrency, mode, value, timeout, transactionSize, errorHandler);
    }

    public ListenerDefaults withTimeout(String value) {
        return new ListenerDefaults(concurrency, mode, retry, value, transactionSize, errorHandler);
    }

    public ListenerDefaults withTransactionSize(String value) {
        return new ListenerDefaults(concurrency, mode, retry, timeout, value, errorHandler);
    }

    public ListenerDefaults withErrorHandler(String value) {
        return new ListenerDefaults(concurrency, mode, retry, timeout, transactionSize, value);
    }
}
