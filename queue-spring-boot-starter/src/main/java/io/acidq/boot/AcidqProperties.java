package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
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
        @DefaultValue ObserveSettings observe,
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

    /** Adds to a misuse the settings that were refused. */
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

    /**
     * What is told of the engine. Immutable.
     *
     * @param mdc          Whether the logging context (MDC) names the message while its handler runs.
     * @param metrics      Whether there are meters and gauges, where there is a MeterRegistry.
     * @param observations Whether publish and process are observed, and trace contexts travel in the headers, where there is an
     *                     ObservationRegistry.
     * @param engine       The value of the tag engine of the main engine's meters; that of a further engine is the name of its QueueEngine bean. Engines of one
     *                     process must not share it.
     * @param gaugePeriod  How often the gauges are sampled. Too short: reads of the database for nobody; too long: alarms come late.
     */
    record ObserveSettings(
            @DefaultValue("true") boolean mdc,
            @DefaultValue("true") boolean metrics,
            @DefaultValue("true") boolean observations,
            @DefaultValue("main") String engine,
            @DefaultValue("15s") Duration gaugePeriod) {

        ObserveSettings {
            if (engine.isBlank()) {
                throw new QueueMisuseException(
                        "setting acidq.observe.engine is empty, and each meter has it as a tag: give the engine a name, or leave the property out");
            }
        }

        /** Further engines are called as their beans are. */
        String tagOf(String name) {
            return name.equals(QueueEngines.MAIN) ? engine : name;
        }
    }

    /**
     * One retry policy.
     *
     * @param maxAttempts  Starts until the message is a dead letter. Too low: a short outage of a partner kills messages; too high: a
     *                     message that can not succeed is tried for days.
     * @param maxAge       No start is planned at this age or later, counted from the first due time.
     * @param backoff      Whether waits grow (exponential) or are all as long as initial-delay (fixed).
     * @param initialDelay The wait after the first failure. Too low: a struggling partner is hit at once; too high: a hiccup costs latency.
     * @param multiplier   By which each wait is longer than the one before, when they grow.
     * @param maxDelay     No wait is longer, before jitter, when they grow.
     * @param jitter       Each wait is shortened or lengthened at random by up to this share, 0 to 1.
     * @param retryOn      Failures of these types are retried, though another rule names a type above them.
     * @param deadOn       Failures of these types make a dead letter at once.
     * @param ignoreOn     Messages with failures of these types leave as cancelled, their effects rolled back.
     * @param causes       Whether the three rules look at the causes of a failure too.
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

        /** How waits grow. */
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

        /** In properties rules have no order among the lists, so the most special type goes first. */
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
                                    + " stands twice in retry-on, dead-on and ignore-on, and only one of them could hold: leave it in that one");
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
     * @param failureRate    The share of failed runs at which it opens, above 0 to 1.
     * @param window         How many of the latest runs are looked at.
     * @param minimumRuns    It does not open before so many runs.
     * @param openFor        How long it stays open before it tests.
     * @param testRuns       How many may start while it is half open.
     * @param ignored        Failures of these types, or with such a cause, do not count.
     * @param databaseErrors Whether passing errors of the queue's own database count.
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
     * One limit of starts in this application.
     *
     * @param starts How many handlers may start in a period.
     * @param period How long a period is.
     */
    record RateLimitSettings(int starts, @DefaultValue("1s") Duration period) {

        RateLimit rateLimit() {
            return new RateLimit(starts, period);
        }
    }

    /**
     * One limit of runs at once in this application.
     *
     * @param maxRunning How many handlers may run at once.
     */
    record BulkheadSettings(int maxRunning) {

        Bulkhead bulkhead() {
            return new Bulkhead(maxRunning);
        }
    }
}
