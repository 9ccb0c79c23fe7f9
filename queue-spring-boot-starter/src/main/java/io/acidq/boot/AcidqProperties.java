package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import io.acidq.config.EngineConfig.UnsubscribedAction;
import io.acidq.config.HistoryOptions;
import io.acidq.config.QueueConfig;
import io.acidq.config.Retention;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import io.acidq.spring.QueueEngines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * @param enabled               Whether AcidQ is active. When false, methods with @Publish run without publishing anything.
 * @param initializeSchema      When to create AcidQ's tables at the start: embedded (H2 only), always, or never. When they are not created they
 *                              are checked, and a wrong schema fails the start.
 * @param heartbeatInterval     How often a node writes its heartbeat. Too short: needless writes. Too long: the messages of a dead node wait longer.
 * @param missedHeartbeatsLimit How many checks in a row must see no new heartbeat before a node is declared dead. Too low: a pause of a living
 *                              node makes its work run again.
 * @param maxCrashes            How many processes may end while they run a message before it is dead-lettered. Too low: deployments that kill
 *                              processes dead-letter healthy messages. Too high: a poisonous message kills as many processes.
 * @param poll                  How often the engine polls for messages.
 * @param deduplicationWindow   How long a message key stays taken, counted from the due time. It never ends before the message does.
 * @param inboxRetention        How long the inbox recognizes a repetition, counted from the call that ran the work, unless the caller sets another
 *                              time. Too short: a late repetition is done again. Too long: a larger table.
 * @param maxPayloadSize        Larger payloads are refused at enqueue.
 * @param topics                What happens to messages of topics.
 * @param payload               What AcidQ's JSON codec refuses. A Codec bean of the application ignores these settings.
 * @param stopTimeout           How long a stop waits for running handlers before it interrupts them. Keep it below
 *                              spring.lifecycle.timeout-per-shutdown-phase.
 * @param detectLostTransaction Whether a savepoint in each handler's transaction detects that the database has replaced the transaction, so that
 *                              the rest of it is never committed alone. Costs two statements per message.
 * @param retention             How long data is kept that the work itself no longer needs.
 * @param history               What the dashboard's charts are drawn from.
 * @param knownQueues           The queues that listeners and settings may name; any unless set. A listener or a section of acidq.queues with
 *                              another name, such as a mistyped one, fails the start.
 * @param queueDefaults         Settings of all queues that have none of their own in acidq.queues or at their listener.
 * @param observability         Logging context, metrics and traces.
 * @param dashboard             The dashboard.
 * @param queues                Settings of single queues by name. A name with dots goes in brackets: acidq.queues[order.placed].
 * @param retry                 Retry policies by the name that the retry attribute of @QueueListener refers to. The one named default applies to
 *                              listeners that name none.
 * @param breaker               Circuit breakers by the name that the breaker attribute of @QueueListener refers to.
 * @param rateLimit             Rate limits by the name that the rateLimit attribute of @QueueListener refers to.
 * @param bulkhead              Bulkheads by the name that the bulkhead attribute of @QueueListener refers to.
 */
@ConfigurationProperties(prefix = "acidq", ignoreUnknownFields = false) // a mistyped name fails the start
record AcidqProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
        @DefaultValue("3s") Duration heartbeatInterval,
        @DefaultValue("6") int missedHeartbeatsLimit,
        @DefaultValue("3") int maxCrashes,
        @DefaultValue PollSettings poll,
        @DefaultValue("7d") Duration deduplicationWindow,
        @DefaultValue("7d") Duration inboxRetention,
        @DefaultValue("1MB") DataSize maxPayloadSize,
        @DefaultValue TopicSettings topics,
        @DefaultValue PayloadSettings payload,
        @DefaultValue("25s") Duration stopTimeout,
        @DefaultValue("true") boolean detectLostTransaction,
        @DefaultValue RetentionTimes retention,
        @DefaultValue HistorySettings history,
        @DefaultValue List<String> knownQueues,
        @NestedConfigurationProperty @DefaultValue QueueProperties queueDefaults,
        @DefaultValue ObservabilitySettings observability,
        @NestedConfigurationProperty @DefaultValue DashboardProperties dashboard,
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
                heartbeatInterval,
                missedHeartbeatsLimit,
                maxCrashes,
                poll.minInterval(),
                poll.maxInterval(),
                deduplicationWindow,
                inboxRetention,
                maxPayloadBytes(),
                topics.unsubscribed(),
                stopTimeout,
                retention.retention(),
                history.options(),
                configs,
                defaults);
    }

    /** Returns the settings of a queue, completed by the defaults. */
    QueueProperties queue(String name) {
        QueueProperties own = queues.get(name);
        return own == null ? queueDefaults : own.over(queueDefaults);
    }

    /** Refuses a queue that is not among the known queues, if these are set. */
    void checkKnown(String queue, String who) {
        if (!knownQueues.isEmpty() && !knownQueues.contains(queue)) {
            throw QueueMisuseException.withAction(
                    who + " names the queue '" + queue + "', which is not among acidq.known-queues: "
                            + String.join(", ", knownQueues),
                    "correct the name, or add it to acidq.known-queues");
        }
    }

    /** Returns the property prefix of the settings of a queue. */
    static String section(String queue) {
        return "acidq.queues[" + queue + "]";
    }

    /** Adds the property prefix to the message of a misuse. */
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
     * How often the engine polls for messages.
     *
     * @param minInterval The shortest wait between two polls of a queue that had work a moment ago.
     * @param maxInterval The longest wait between two polls of an idle queue: the worst latency of a message that another process enqueued. Too
     *                    short: load without work. Too long: latency.
     */
    record PollSettings(
            @DefaultValue("5ms") Duration minInterval,
            @DefaultValue("250ms") Duration maxInterval) {}

    /**
     * The settings of topics.
     *
     * @param unsubscribed What happens when a message is published to a topic that has no subscription, and so would be stored nowhere: warn (once
     *                     for each topic), or fail (the publish throws an exception). Fail: a mistyped topic is noticed at once, and a subscription must be
     *                     there before the first publish.
     */
    record TopicSettings(@DefaultValue("warn") UnsubscribedAction unsubscribed) {}

    /**
     * The settings of AcidQ's JSON codec: the payloads that it refuses.
     *
     * @param checkRoundTrip      Whether an enqueue reads the first payload of each class again, and refuses it if the class or the queue's
     *                            listener cannot read it. Switch it off in an application that only writes its payload classes.
     * @param checkEveryPayload   Whether an enqueue reads every payload again, not only the first one of each class. For tests and development.
     * @param allowEntities       Whether JPA entities are accepted as payloads, or within payloads. An entity is stored before its id is generated.
     * @param failOnUnknownFields Whether a message with a field that the payload class does not have is dead-lettered, instead of read without it.
     * @param failOnMissingFields Whether a message without a component of the payload record is dead-lettered, instead of read with null.
     */
    record PayloadSettings(
            @DefaultValue("true") boolean checkRoundTrip,
            @DefaultValue("false") boolean checkEveryPayload,
            @DefaultValue("false") boolean allowEntities,
            @DefaultValue("false") boolean failOnUnknownFields,
            @DefaultValue("false") boolean failOnMissingFields) {}

    /**
     * How long data is kept that the work itself no longer needs. Where applications differ, the shortest time wins.
     *
     * @param audit       How long the audit log keeps what operators did. Too long: a larger table.
     * @param deadLetters How long dead letters are kept when their queue does not say. Default: for ever. Too short: messages are lost before
     *                    anybody has seen them. Too long: a larger table, and keys that stay taken.
     * @param nodes       How long the row of a node is kept after its end.
     * @param ticks       How long the history of recurring messages is kept. Too long: a larger table.
     * @param attempts    How long failed attempts are kept; 0 to record none. Too long: a larger table.
     * @param history     How long the numbers of each hour are kept, from which the dashboard's charts are drawn. Those of ten minutes are kept for 14 days and
     *                    those of a minute for a day, or for this time if it is shorter. Too long: a larger table.
     */
    record RetentionTimes(
            @DefaultValue("365d") Duration audit,
            @Nullable Duration deadLetters,
            @DefaultValue("7d") Duration nodes,
            @DefaultValue("7d") Duration ticks,
            @DefaultValue("7d") Duration attempts,
            @DefaultValue("400d") Duration history) {

        Retention retention() {
            return new Retention(audit, deadLetters, nodes, ticks, attempts, history);
        }
    }

    /**
     * The settings of the history, from which the dashboard draws its charts.
     *
     * @param enabled Whether the application adds what it has done to the history, once a minute.
     */
    record HistorySettings(@DefaultValue("true") boolean enabled) {

        HistoryOptions options() {
            return new HistoryOptions(enabled);
        }
    }

    /**
     * Logging context, metrics and traces of the engine. Immutable.
     *
     * @param mdc          Whether the logging context (MDC) names the message while its handler runs.
     * @param metrics      Whether meters and gauges are registered, if there is a MeterRegistry.
     * @param observations Whether publish and process are observed and trace contexts travel in the headers, if there is an ObservationRegistry.
     * @param engine       The value of the tag engine of the main engine's meters. A further engine has the name of its QueueEngine bean there. Engines
     *                     of one process must not share a value.
     * @param gaugePeriod  How often the gauges are sampled. Too short: needless reads of the database. Too long: alarms come late.
     */
    record ObservabilitySettings(
            @DefaultValue("true") boolean mdc,
            @DefaultValue("true") boolean metrics,
            @DefaultValue("true") boolean observations,
            @DefaultValue("main") String engine,
            @DefaultValue("15s") Duration gaugePeriod) {

        ObservabilitySettings {
            if (engine.isBlank()) {
                throw new QueueMisuseException(
                        "setting acidq.observability.engine is empty, and each meter has it as a tag: give the engine a name, or leave the property out");
            }
        }

        /** Returns the tag of an engine. Further engines use the name of their bean. */
        String tagOf(String name) {
            return name.equals(QueueEngines.MAIN) ? engine : name;
        }
    }

    /**
     * One retry policy.
     *
     * @param maxAttempts  How many times a message is started before it is dead-lettered. Too low: a short outage of a called system dead-letters
     *                     messages. Too high: a message that cannot succeed is tried for days.
     * @param maxAge       No attempt is planned for a message of this age or older, counted from its first due time.
     * @param backoff      Whether the delay grows (exponential) or is always initial-delay (fixed).
     * @param initialDelay The delay after the first failure. Too low: a system in trouble is called again at once. Too high: a short failure costs
     *                     latency.
     * @param multiplier   The factor by which an exponential delay grows.
     * @param maxDelay     The longest exponential delay, before jitter.
     * @param jitter       Each delay is changed at random by up to this share, 0 to 1.
     * @param retryOn      Failures of these types are retried, even if another rule names a supertype.
     * @param deadOn       Failures of these types dead-letter the message at once.
     * @param ignoreOn     Failures of these types cancel the message; its effects are rolled back.
     * @param causes       Whether the three rules apply to the causes of a failure too.
     */
    record RetrySettings(
            @DefaultValue("5") int maxAttempts,
            @Nullable Duration maxAge,
            @DefaultValue("exponential") Growth backoff,
            @DefaultValue("1s") Duration initialDelay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("10m") Duration maxDelay,
            @DefaultValue("0.2") double jitter,
            @DefaultValue List<Class<? extends Throwable>> retryOn,
            @DefaultValue List<Class<? extends Throwable>> deadOn,
            @DefaultValue List<Class<? extends Throwable>> ignoreOn,
            @DefaultValue("false") boolean causes) {

        enum Growth {
            FIXED,
            EXPONENTIAL
        }

        RetryPolicy policy() {
            Backoff waits = backoff == Growth.FIXED
                    ? Backoff.fixed(initialDelay).withJitter(jitter)
                    : new Backoff(initialDelay, multiplier, maxDelay, jitter);
            return new RetryPolicy(maxAttempts, maxAge, waits, rules());
        }

        /** Returns the rules. Properties define no order among the three lists, so the most specific type comes first. */
        private List<RetryRule> rules() {
            List<RetryRule> rules = new ArrayList<>();
            deadOn.forEach(type -> rules.add(RetryRule.deadOn(type)));
            ignoreOn.forEach(type -> rules.add(RetryRule.ignoreOn(type)));
            retryOn.forEach(type -> rules.add(RetryRule.retryOn(type)));
            Set<Class<?>> ruled = new HashSet<>();
            for (RetryRule rule : rules) {
                if (!ruled.add(rule.failure())) {
                    throw new QueueMisuseException(
                            rule.failure().getName()
                                    + " is set twice in retry-on, dead-on and ignore-on, but only one of them can apply: remove the others");
                }
            }
            return rules.stream()
                    .sorted(Comparator.comparingInt(r -> -depth(r.failure())))
                    .map(r -> causes ? r.orCause() : r)
                    .toList();
        }

        private static int depth(@Nullable Class<?> type) {
            return type == null ? 0 : 1 + depth(type.getSuperclass());
        }
    }

    /**
     * One circuit breaker.
     *
     * @param failureRate    The share of failed runs at which it opens, above 0 and up to 1.
     * @param window         How many of the latest runs count.
     * @param minimumRuns    It does not open before this number of runs.
     * @param openFor        How long it stays open before it lets test runs through.
     * @param testRuns       How many runs may start while it is half open.
     * @param ignored        Failures of these types, or with such a cause, do not count.
     * @param databaseErrors Whether transient errors of the queue's own database count.
     */
    record BreakerSettings(
            @DefaultValue("0.5") double failureRate,
            @DefaultValue("20") int window,
            @DefaultValue("10") int minimumRuns,
            @DefaultValue("30s") Duration openFor,
            @DefaultValue("3") int testRuns,
            @DefaultValue List<Class<? extends Throwable>> ignored,
            @DefaultValue("false") boolean databaseErrors) {

        Breaker breaker() {
            return new Breaker(failureRate, window, minimumRuns, openFor, testRuns, ignored, databaseErrors);
        }
    }

    /**
     * One rate limit of this application.
     *
     * @param starts How many handlers may start in a period.
     * @param period The length of a period.
     */
    record RateLimitSettings(int starts, @DefaultValue("1s") Duration period) {

        RateLimit rateLimit() {
            return new RateLimit(starts, period);
        }
    }

    /**
     * One bulkhead of this application.
     *
     * @param maxRunning How many handlers may run at once.
     */
    record BulkheadSettings(int maxRunning) {

        Bulkhead bulkhead() {
            return new Bulkhead(maxRunning);
        }
    }
}
