package io.acidq.spring;

/**
 * Default attributes for a group of listeners: a {@link QueueListener} refers to a bean of this type by its {@code containerFactory}, and takes
 * from it each attribute that it leaves empty.
 *
 * <pre>{@code
 * @Bean
 * ListenerDefaults slow() {
 *     return ListenerDefaults.none().withConcurrency("1-4").withTimeout("${slow.timeout:5m}");
 * }
 *
 * @QueueListener(queue = "report.requested", containerFactory = "slow")
 * void create(ReportRequested request) { … }
 * }</pre>
 *
 * <p>The values have the syntax of the annotation's attributes, including placeholders {@code ${…}} and expressions {@code #{…}}. An empty
 * value sets no default. Immutable.
 *
 * @param concurrency     the number of workers, such as {@code 4} or {@code 2-16}
 * @param mode            {@code transactional} or {@code external}
 * @param retry           the name of the retry policy
 * @param timeout         the longest time of one call, with a unit, such as {@code 30s}
 * @param transactionSize the largest number of messages in one transaction
 * @param errorHandler    the {@link QueueErrorHandler}, by bean name or as {@code #{@name}}
 */
public record ListenerDefaults(
        String concurrency, String mode, String retry, String timeout, String transactionSize, String errorHandler) {

    private static final ListenerDefaults NONE = new ListenerDefaults("", "", "", "", "", "");

    /** Returns defaults without any value. */
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
