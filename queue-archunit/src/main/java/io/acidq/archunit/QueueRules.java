package io.acidq.archunit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/**
 * ArchUnit rules for code that uses AcidQ, for {@code @ArchTest} fields or for {@code check(classes)} in any test. A rule sees only the imported
 * classes: import the whole application, without its tests. Annotations count on the method, on overridden methods, as meta-annotations and in
 * containers. Each rule fails if no class was imported, and passes for code without a queue. Thread-safe.
 *
 * <p>To accept existing violations, freeze the rule with {@code FreezingArchRule.freeze(rule)}.
 */
public final class QueueRules {

    private QueueRules() {}

    /**
     * Requires that messages are published only in a transaction. A method with {@code @Publish}, or one that enqueues with a {@code MessageQueue} or a
     * template, must be {@code @Transactional} (of Spring or Jakarta, not read-only), a transactional listener, or in a {@code TransactionTemplate};
     * otherwise all its callers must be.
     */
    public static ArchRule publishInTransaction() {
        return classes()
                .should(new PublishInTransaction())
                .as("messages are published only inside a transaction")
                .because("a message must commit together with the data that it describes");
    }

    /** Requires that transactional listeners, and the code that they call, neither sleep nor wait, and call no HTTP client, broker, mail server, socket or stub. */
    public static NoRemoteCall noRemoteCallInListeners() {
        return new NoRemoteCall(Set.of());
    }

    /** Requires that payloads of listeners, {@code @Publish} methods and typed templates are records, final classes, or sealed types of these. */
    public static ArchRule payloadsAreRecordsOrFinal() {
        return classes()
                .should(new FinalPayloadTypes())
                .as("payloads are records or final classes")
                .because("the listener does not read what a subclass adds, and a payload is a value");
    }

    /** Requires that transactional listeners, and the code that they call, do not begin, end or suspend a transaction. */
    public static ArchRule listenersOpenNoTransaction() {
        return classes()
                .should(new NoOwnTransaction())
                .as("transactional listeners open no transaction of their own")
                .because("the effects and the end of the message must commit together");
    }

    /**
     * Requires that annotations name only these queues, and topics that have a subscription among them. The rule skips names with placeholders or
     * expressions, and does not see names in calls of a {@code MessageQueue}.
     *
     * @param queues the names of the configured queues
     */
    public static ArchRule queuesAreConfigured(Set<String> queues) {
        Set<String> known = Set.copyOf(queues);
        return queues(new ConfiguredQueuesOnly(known, "the set of configured queues", name -> name));
    }

    /**
     * Requires that annotations name only queues that have a key below {@code acidq.queues} in this file, and topics of which a subscription has one, such as
     * {@code [order.placed/billing]}. The file and the defaults of placeholders
     * resolve placeholders; the rule skips names that stay unresolved, and expressions.
     *
     * @param resource {@code .yaml}, {@code .yml} or {@code .properties} on the classpath
     * @throws IllegalArgumentException if the file is not on the classpath
     */
    public static ArchRule queuesAreConfiguredIn(String resource) {
        ConfigurationFile file = ConfigurationFile.of(resource);
        return queues(new ConfiguredQueuesOnly(file.queues(), "acidq.queues in " + resource, file::resolve));
    }

    private static ArchRule queues(ConfiguredQueuesOnly condition) {
        return classes()
                .should(condition)
                .as("annotations name only configured queues")
                .because("no listener handles the messages of a mistyped queue name");
    }
}
