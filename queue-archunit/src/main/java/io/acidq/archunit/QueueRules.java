package io.acidq.archunit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/**
 * ArchUnit rules for code that uses AcidQ; for {@code @ArchTest} fields, or {@code check(classes)} in any test. They look at the imported
 * classes only: import the whole application, without its tests. Annotations count on overridden methods, as meta-annotations and in
 * containers. Each rule fails when no class was imported at all; code without a queue passes. Thread-safe.
 *
 * <p>A rule for code that has violations already is frozen: {@code FreezingArchRule.freeze(rule)}.
 */
public final class QueueRules {

    private QueueRules() {}

    /**
     * Methods with {@code @Publish}, and those that enqueue by a {@code MessageQueue} or template, are {@code @Transactional} (Spring's or
     * Jakarta's, and not read-only), transactional listeners or inside a {@code TransactionTemplate}; or everyone who calls them is.
     */
    public static ArchRule publishInTransaction() {
        return classes()
                .should(new PublishInTransaction())
                .as("messages are published only inside a transaction")
                .because("they commit with the data that they tell of");
    }

    /** Transactional listeners, and what they call, do not sleep or wait and reach no HTTP client, broker, mail server, socket or stub. */
    public static NoRemoteCall noRemoteCallInListeners() {
        return new NoRemoteCall(Set.of());
    }

    /** Payloads of listeners, of {@code @Publish} methods and of typed templates are records, final classes, or sealed types of these. */
    public static ArchRule payloadsAreRecordsOrFinal() {
        return classes()
                .should(new FinalPayloads())
                .as("payloads are records or final classes")
                .because("what a subclass adds is not what the listener reads, and a payload is a value");
    }

    /** Transactional listeners, and what they call, begin, end and suspend no transaction. */
    public static ArchRule listenersOpenNoTransaction() {
        return classes()
                .should(new NoOwnTransaction())
                .as("transactional listeners open no transaction of their own")
                .because("effects and the end of the message commit together or not at all");
    }

    /**
     * Annotations name only these queues. Names with placeholders or expressions are passed over, and names in calls of a {@code
     * MessageQueue} are not seen.
     */
    public static ArchRule queuesAreConfigured(Set<String> queues) {
        Set<String> known = Set.copyOf(queues);
        return queues(new NamedQueues(known, "the set of configured queues", name -> name));
    }

    /**
     * Annotations name only queues that have a key below {@code acidq.queues} in this file. Placeholders are resolved by the file and
     * their defaults; what stays unresolved, and expressions, are passed over.
     *
     * @param resource {@code .yaml}, {@code .yml} or {@code .properties} on the classpath
     * @throws IllegalArgumentException when it is not there
     */
    public static ArchRule queuesAreConfiguredIn(String resource) {
        ConfigurationFile file = ConfigurationFile.of(resource);
        return queues(new NamedQueues(file.queues(), "acidq.queues in " + resource, file::resolve));
    }

    private static ArchRule queues(NamedQueues condition) {
        return classes()
                .should(condition)
                .as("every queue that is named is configured")
                .because("a mistyped name is a queue that nobody listens to");
    }
}
