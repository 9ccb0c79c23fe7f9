package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import io.acidq.config.QueueConfig;
import io.acidq.config.Retention;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.unit.DataSize;

/**
 * The settings of AcidQ in Spring Boot. Immutable.
 *
 * @param enabled          Whether AcidQ is there at all. When false, methods with @Publish run without publishing anything.
 * @param initializeSchema Whether to create AcidQ's tables at start: in embedded databases (H2), always, or never. When they are not
 *                         created they are checked, and a wrong schema fails the start.
 * @param beat             How often the node says that it lives. Too short: needless writes; too long: slow rescue of what a dead node
 *                         held.
 * @param silentBeats      How many looks in a row must see no new beat before a node is declared dead. Too few: a pause of a living
 *                         node makes its work run again.
 * @param maxDeaths        How many processes a message may take down before it is a dead letter. Too low: deployments that kill
 *                         processes make dead letters of innocents; too high: a poisonous message kills as often.
 * @param pollMin          The shortest wait between two looks into a queue that had work a moment ago.
 * @param pollMax          The longest wait between two looks into an idle queue: the worst latency of a message that another process
 *                         enqueued. Too short: idle load; too long: latency.
 * @param keyWindow        How long a message key stays taken, counted from the due time, and never ending before the message does.
 * @param inboxWindow      How long the inbox recognizes a repetition, counted from the call that ran the work, where the caller sets no
 *                         other. Too short: a late repetition is done again; too long: a larger table.
 * @param maxPayloadSize   Larger payloads are refused at enqueue.
 * @param stopTimeout      How long a stop waits for running handlers before it interrupts them. Keep it below
 *                         spring.lifecycle.timeout-per-shutdown-phase.
 * @param tripwire         Whether handlers' transactions are guarded by a savepoint, so that one which the database replaced behind the
 *                         handler's back is never committed. Costs two statements a message.
 * @param retention        How long is kept what nobody needs any more for the work itself.
 * @param knownQueues      The queues that listeners and settings may name; any unless set. A listener or a section of acidq.queues with another
 *                         name, such as a mistyped one, fails the start.
 * @param queueDefaults    Settings of all queues that do not set them for themselves, in acidq.queues or at their listener.
 * @param observe          What is told of the engine.
 * @param queues           Settings of single queues, by queue name; a name with dots goes in brackets: acidq.queues[order.placed].
 * @param retry            Retry policies by the name that the retry attribute of @QueueListener refers to; the one named default is
 *                         that of listeners that name none.
 * @param breaker          Circuit breakers by the name that the breaker attribute of @QueueListener refers to.
 * @param rateLimit        Limits of starts by the name that the rateLimit attribute of @QueueListener refers to.
 * @param bulkhead         Limits of runs at once by the name that the bulkhead attribute of @QueueListener refers to.
 */
@ConfigurationProperties(prefix = "acidq", ignoreUnknownFields = false) // a mistyped name is no setting
record AcidqProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
        @DefaultValue("3s") Duration beat,
        @DefaultValue("6") int silentBeats,
        @DefaultValue("3") int maxDeaths,
        @DefaultValue("5ms") Duration pollMin,
        @DefaultValue("250ms") Duration pollMax,
        @DefaultValue("7d") Duration keyWindow,
        @DefaultValue("7d") Duration inboxWindow,
        @DefaultValue("1MB") DataSize maxPayloadSize,
        @DefaultValue("25s") Duration stopTimeout,
        @DefaultValue("true") boolean tripwire,
        @DefaultValue RetentionTimes retention,
        @DefaultValue List<String> knownQueues,
        @NestedConfigurationProperty @DefaultValue QueueProperties queueDefaults,
        @NestedConfigurationProperty @DefaultValue ObserveSettings observe,
        @DefaultValue Map<String, QueueProperties> queues,
        @DefaultValue Map<String, RetrySettings> retry,
        @DefaultValue Map<String, BreakerSettings> breaker,
        @DefaultValue Map<String, RateLimitSettings> rateLimit,
        @DefaultValue Map<String, BulkheadSettings> bulkhead) {

    EngineConfig engineConfig() {
        QueueConfig defaults = named("acidq.queue-defaults", queueDefaults::config);
        Map<String, QueueConfig> configs = new HashMap<>();
        queues.keySet().forEach(name -> {
            checkKnown(name, "acidq.queues");
            configs.put(name, named(section(name), () -> queue(name).config()));
        });
        return new EngineConfig(
                beat,
                silentBeats,
                maxDeaths,
                pollMin,
                pollMax,
                keyWindow,
                inboxWindow,
                maxPayloadBytes(),
                stopTimeout,
                retention.retention(),
                configs,
                defaults);
    }

    /** The settings of a queue, with the defaults where it has none. */
    QueueProperties queue(String name) {
        QueueProperties own = queues.get(name);
        return own == null ? queueDefaults : own.over(queueDefaults);
    }

    /** Refuses a queue that is not among the known ones, if any are given. */
    void checkKnown(String queue, String who) {
        if (!knownQueues.isEmpty() && !knownQueues.contains(queue)) {
            throw QueueMisuseException.withAction(
                    who + " names the queue '" + queue + "', which is not among acidq.known-queues: "
                            + String.join(", ", knownQueues),
                    "correct the name, or add it to acidq.known-queues");
        }
    }

    /** Where the settings of a queue are written. */
    static String section(String queue) {
        return "acidq.queues[" + queue + "]";
    }

    /** Says which settings were refused. */
    static <T> T named(String section, Supplier<T> settings) {
        try {
            return settings.get();
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("setting " + section + ": " + e.getMessage(), e);
        }
    }

    private int maxPayloadBytes() {
        long bytes = maxPayloadSize.toBytes();
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new QueueMisuseException(
                    "engine: maxPayloadBytes (acidq.max-payload-size) must be at least 1 byte and below 2 GB, was "
                            + maxPayloadSize);
        }
        return (int) bytes;
    }

    /**
     * How long is kept what nobody needs any more for the work itself. Where applications differ, the shortest time counts.
     *
     * @param audit       How long the audit table tells what operators did. Too short: nobody knows any more; too long: a larger table.
     * @param deadLetters How long dead letters are kept where their queue says nothing else; for ever unless set. Too short: messages are lost
     *                    before somebody has looked at them; too long: a larger table, and keys that stay taken.
     * @param nodes       How long the rows of nodes are kept after their end.
     */
    record RetentionTimes(
            @DefaultValue("365d") Duration audit,
            @Nullable Duration deadLetters,
            @DefaultValue("7d") Duration nodes) {

        Retention retention() {
            return new Retention(audit, deadLetters, nodes);
        }
    }
}
