package io.acidq.engine.admin;

import io.acidq.AcidqException;
import io.acidq.EnqueueOptions;
import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.Recurring;
import io.acidq.Recurring.Overlap;
import io.acidq.Schedule;
import io.acidq.Tick;
import io.acidq.TransientQueueException;
import io.acidq.admin.Operator;
import io.acidq.admin.RecurringMessages;
import io.acidq.codec.Codec;
import io.acidq.codec.Headers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.enqueue.TransactionalQueue;
import io.acidq.engine.maintenance.TickEnqueuer;
import io.acidq.engine.maintenance.TickEnqueuer.DueTick;
import io.acidq.engine.maintenance.Ticker;
import io.acidq.store.DatabaseError;
import io.acidq.store.RecurringStore;
import io.acidq.store.RecurringStore.Advance;
import io.acidq.store.RecurringStore.StoredRecurring;
import io.acidq.store.Transactions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds, changes, lists, triggers and removes recurring messages. Thread-safe. */
public final class RecurringAdmin implements RecurringMessages {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");
    private static final int MAX_ROWS = 10_000;
    private static final int MAX_TRIES = 10;

    /** What the open transaction of a thread has removed. */
    private static final ThreadLocal<@Nullable Removed> REMOVED = new ThreadLocal<>();

    /** The instant with the longest text that a tick can have. */
    private static final Instant LONGEST_INSTANT = Instant.parse("9999-01-01T00:00:00.999999Z");

    private final RecurringStore store;
    private final Transactions transactions;
    private final TransactionalQueue queue;
    private final TickEnqueuer tickEnqueuer;
    private final QueueRegistry queues;
    private final Codec codec;
    private final Runnable onChange;

    /**
     * Creates the administration.
     *
     * @param onChange called after the commit of a change
     */
    public RecurringAdmin(
            RecurringStore store,
            Transactions transactions,
            TransactionalQueue queue,
            TickEnqueuer tickEnqueuer,
            QueueRegistry queues,
            Codec codec,
            Runnable onChange) {
        this.store = store;
        this.transactions = transactions;
        this.queue = queue;
        this.tickEnqueuer = tickEnqueuer;
        this.queues = queues;
        this.codec = codec;
        this.onChange = onChange;
    }

    @Override
    public PutResult put(Recurring message) {
        Objects.requireNonNull(message, "message");
        transactions.requireTransaction(
                "put of recurring message '" + message.name() + "'", "it commits with your data");
        return put(message, null);
    }

    /**
     * Puts the recurring messages that an engine declares. One whose declaration is the same as at the last start stays as it is: an operator may have changed it.
     *
     * @throws QueueMisuseException when one of them is not valid
     */
    public void declareAll(Collection<Recurring> declared) {
        declare(declared, false);
    }

    /**
     * Adds again the declared recurring messages that are missing because the tables were emptied. Does not change one that exists: another deployment may have
     * declared it differently.
     */
    public void declareMissing(Collection<Recurring> declared) {
        declare(declared, true);
    }

    private void declare(Collection<Recurring> declared, boolean onlyMissing) {
        for (Recurring message : declared) {
            PutResult result = inNew(() -> {
                StoredRecurring found = store.find(message.name());
                if (found != null && onlyMissing) {
                    return PutResult.UNCHANGED;
                }
                String fingerprint = fingerprint(message);
                if (found != null && fingerprint.equals(found.declared())) {
                    check(
                            message,
                            found.now()); // the listener of this process may be another one than at the last start
                    return PutResult.UNCHANGED;
                }
                return put(message, fingerprint);
            });
            if (result != PutResult.UNCHANGED) {
                log.info(
                        "recurring message '{}' was {}: {}",
                        message.name(),
                        result.name().toLowerCase(Locale.ROOT),
                        message.schedule());
            }
        }
    }

    /**
     * Locks the row and reads it again before a change. The snapshot of the caller may be older than the latest tick; writing its values would set the next tick
     * back.
     */
    private PutResult put(Recurring message, @Nullable String declared) {
        StoredRecurring found = store.find(message.name());
        StoredRecurring wanted = toRow(message, found, declared);
        if (!message.topic()) {
            queues.getOrCreate(message.destination());
        }
        if (found != null) {
            if (isSame(found, wanted)) {
                return PutResult.UNCHANGED;
            }
            found = store.lock(message.name()); // null when another transaction has removed it
            wanted = toRow(message, found, declared);
        }
        if (found == null) {
            if (store.insert(wanted)) {
                keepPrevious(message, wanted);
                changedAfterCommit();
                return PutResult.ADDED;
            }
            found = Objects.requireNonNull(store.lock(message.name())); // another transaction has added it
            wanted = toRow(message, found, declared);
        }
        if (isSame(found, wanted)) {
            return PutResult.UNCHANGED;
        }
        store.update(wanted);
        changedAfterCommit();
        return PutResult.CHANGED;
    }

    /** Gives a recurring message that was removed in this transaction its previous message again. Otherwise the next one could run beside it. */
    private void keepPrevious(Recurring message, StoredRecurring added) {
        StoredRecurring row = removedHere(message.name());
        boolean needsEnd = message.schedule().kind() == Schedule.Kind.AFTER || message.overlap() == Overlap.SKIP;
        if (row != null && needsEnd) {
            Instant next = firstTick(message.schedule(), added.spread(), added.now(), row);
            store.advance(List.of(Advance.same(row, next)));
        }
    }

    private @Nullable StoredRecurring removedHere(String name) {
        Removed last = REMOVED.get();
        return last == null || last.transaction != transactions.current() ? null : last.rows.get(name);
    }

    private void rememberRemoved(StoredRecurring row) {
        Removed last = REMOVED.get();
        if (last == null || last.transaction != transactions.current()) {
            last = new Removed(transactions.requireCurrent("remove"), new HashMap<>());
            REMOVED.set(last);
            transactions.afterEnd(REMOVED::remove, REMOVED::remove);
        }
        last.rows.put(row.name(), row);
    }

    /** What a transaction has removed whose previous message may not have ended. */
    private record Removed(Object transaction, Map<String, StoredRecurring> rows) {}

    private static boolean isSame(StoredRecurring a, StoredRecurring b) {
        return a.destination().equals(b.destination())
                && a.toTopic() == b.toTopic()
                && a.schedule().equals(b.schedule())
                && a.zone().equals(b.zone())
                && a.misfire().equals(b.misfire())
                && a.graceMicros() == b.graceMicros()
                && a.skipOverlap() == b.skipOverlap()
                && Objects.equals(a.ttlMicros(), b.ttlMicros())
                && a.spreadMicros() == b.spreadMicros()
                && a.orderingKey().equals(b.orderingKey())
                && a.headers().equals(b.headers())
                && a.type().equals(b.type())
                && Arrays.equals(a.payload(), b.payload())
                && Objects.equals(a.declared(), b.declared());
    }

    /** Returns the row of a definition. One that is new begins now, by the database's clock. */
    private StoredRecurring toRow(Recurring message, @Nullable StoredRecurring found, @Nullable String declared) {
        Instant now = found == null ? store.now() : found.now();
        Instant next = nextTick(message, now, found);
        check(message, now);
        Codec.Encoded payload = message.payload() == null ? null : codec.encodeReproducibly(message.payload());
        return StoredRecurring.of(
                message,
                Headers.encode(message.headers()),
                payload == null ? "" : payload.type(),
                payload == null ? new byte[0] : payload.bytes(),
                next,
                declared == null && found != null ? found.declared() : declared,
                now);
    }

    /** Checks what the enqueue of a tick would check. The payload is the tick if the definition has none. An error names the recurring message. */
    private void check(Recurring message, Instant now) {
        Object payload = message.payload();
        try {
            queue.checkTick(
                    message.destination(),
                    message.topic(),
                    payload == null ? new Tick(message.name(), now, 0) : payload,
                    longestOptions(message));
        } catch (MessageRejectedException e) {
            throw new MessageRejectedException("recurring message '" + message.name() + "': " + e.getMessage(), e);
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("recurring message '" + message.name() + "': " + e.getMessage(), e);
        }
    }

    /**
     * Returns the next tick of a definition. While the schedule stays, the next tick is of the same instant of the schedule, so that none is lost
     * when the spread changes.
     */
    private static @Nullable Instant nextTick(Recurring message, Instant now, @Nullable StoredRecurring found) {
        Schedule schedule = message.schedule();
        Duration spread = Recurring.spreadOf(message.name(), message.spread());
        if (found != null
                && found.schedule().equals(schedule.text())
                && found.zone().equals(zone(schedule))) {
            Instant next = found.nextAt();
            return next == null ? null : next.minus(found.spread()).plus(spread);
        }
        return firstTick(schedule, spread, now, found);
    }

    private static String zone(Schedule schedule) {
        return schedule.zone().map(Object::toString).orElse("");
    }

    /** Returns the options of a message with the longest headers that a tick adds, so that a put refuses headers that a tick would make too long. */
    private static EnqueueOptions longestOptions(Recurring message) {
        Tick longest = new Tick(message.name(), LONGEST_INSTANT, Integer.MAX_VALUE);
        EnqueueOptions options = EnqueueOptions.options().headers(longest.headers(message.headers()));
        return message.orderingKey() == null ? options : options.orderingKey(message.orderingKey());
    }

    /** Returns the first tick of a new schedule. For a fixed delay whose previous message is known: when to look for the end of that message. */
    private static @Nullable Instant firstTick(
            Schedule schedule, Duration spread, Instant now, @Nullable StoredRecurring found) {
        return schedule.kind() == Schedule.Kind.AFTER && found != null && found.lastUid() != null
                ? now.plus(Ticker.checkInterval(schedule))
                : schedule.next(now.minus(spread))
                        .map(tick -> tick.plus(spread))
                        .orElse(null);
    }

    /** A fingerprint of a definition, which tells whether a deployment has changed it. */
    private String fingerprint(Recurring message) {
        Codec.Encoded payload = message.payload() == null ? null : codec.encodeReproducibly(message.payload());
        String text = String.join(
                "\n",
                message.destination(),
                String.valueOf(message.topic()),
                message.schedule().toString(),
                message.misfire().toString(),
                message.grace().toString(),
                message.overlap().toString(),
                String.valueOf(message.expiresAfter()),
                message.spread().toString(),
                String.valueOf(message.orderingKey()),
                new TreeMap<>(message.headers()).toString(),
                payload == null ? "" : payload.type());
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(text.getBytes(StandardCharsets.UTF_8));
            digest.update(payload == null ? new byte[0] : payload.bytes());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JVM has it
        }
    }

    @Override
    public boolean remove(String name) {
        transactions.requireTransaction(
                "removal of recurring message '" + Recurring.checkName(name) + "'", "it commits with your data");
        StoredRecurring row = store.lock(name);
        if (row == null || !store.remove(name)) {
            return false;
        }
        if (row.lastUid() != null) {
            rememberRemoved(row);
        }
        return true;
    }

    @Override
    public boolean remove(String name, Operator operator) {
        Objects.requireNonNull(operator, "operator");
        return inNew(() -> {
            StoredRecurring row = store.lock(Recurring.checkName(name));
            if (row == null || !store.remove(name)) {
                return false;
            }
            audit(row, "remove-recurring", operator, "");
            return true;
        });
    }

    @Override
    public boolean pause(String name, Operator operator) {
        Objects.requireNonNull(operator, "operator");
        return change(name, row -> {
            if (!store.setPaused(name, true)) {
                return false;
            }
            audit(row, "pause-recurring", operator, "");
            return true;
        });
    }

    @Override
    public boolean resume(String name, Operator operator) {
        Objects.requireNonNull(operator, "operator");
        return change(name, row -> {
            if (!store.setPaused(name, false)) {
                return false;
            }
            audit(row, "resume-recurring", operator, "");
            return true;
        });
    }

    @Override
    public boolean reschedule(String name, Schedule schedule, Operator operator) {
        Objects.requireNonNull(operator, "operator");
        Objects.requireNonNull(schedule, "schedule");
        String zone = zone(schedule);
        return change(name, row -> {
            if (row.schedule().equals(schedule.text()) && row.zone().equals(zone)) {
                return false;
            }
            InputChecks.require(
                    !row.toTopic() || schedule.kind() != Schedule.Kind.AFTER,
                    "recurring message '" + name
                            + "' publishes to a topic and cannot have a fixed delay: use cron or a fixed rate");
            InputChecks.require(
                    row.spreadMicros() == 0 || schedule.kind() != Schedule.Kind.AFTER,
                    "recurring message '" + name
                            + "' has a spread and cannot have a fixed delay: use cron or a fixed rate, or put it without a spread");
            Instant first = firstTick(schedule, row.spread(), row.now(), row);
            if (!store.update(row.withSchedule(schedule.text(), zone, first))) {
                return false;
            }
            audit(row, "reschedule", operator, ": " + row.schedule() + " to " + schedule);
            return true;
        });
    }

    @Override
    public boolean trigger(String name, Operator operator) {
        Objects.requireNonNull(operator, "operator");
        return change(name, row -> {
            Schedule schedule = schedule(row);
            boolean isDelay = schedule.kind() == Schedule.Kind.AFTER;
            boolean needsEnd = isDelay || row.skipOverlap();
            if (needsEnd
                    && row.lastUid() != null
                    && store.hasNotEnded(row.lastQueue(), row.lastLane(), row.lastUid())) {
                return false;
            }
            DueTick tick = new DueTick(row, row.now(), TickResult.TRIGGERED, 0);
            tickEnqueuer.write(List.of(tick));
            MessageId id = tick.id();
            if (needsEnd) {
                Instant next = isDelay ? row.now().plus(Ticker.checkInterval(schedule)) : row.nextAt();
                store.advance(List.of(Advance.of(name, next, id)));
            }
            audit(row, "trigger", operator, id == null ? "" : ": message " + id);
            return tick.hasMessage();
        });
    }

    /** Reads the schedule, which this version may not know. */
    private static Schedule schedule(StoredRecurring row) {
        try {
            return Schedule.parse(row.schedule(), row.zone());
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException(
                    "the schedule of recurring message '" + row.name() + "' cannot be read by this version: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Runs an action on a locked row in a transaction of its own. */
    private boolean change(String name, Function<StoredRecurring, Boolean> action) {
        return inNew(() -> {
            boolean changed = action.apply(existing(name, store.lock(Recurring.checkName(name))));
            if (changed) {
                changedAfterCommit();
            }
            return changed;
        });
    }

    private static StoredRecurring existing(String name, @Nullable StoredRecurring found) {
        if (found == null) {
            throw new QueueMisuseException("there is no recurring message '" + name
                    + "': correct the name (list shows all), or add it with RecurringMessages.put");
        }
        return found;
    }

    private void audit(StoredRecurring row, String action, Operator operator, String detail) {
        store.audit(
                row.toTopic() ? 0 : queueOf(row), action, operator, "recurring message '" + row.name() + "'" + detail);
    }

    private int queueOf(StoredRecurring row) {
        return queues.getOrCreate(row.destination()).id();
    }

    private void changedAfterCommit() {
        transactions.afterCommit(onChange);
    }

    @Override
    public Optional<RecurringInfo> find(String name) {
        return Optional.ofNullable(inNew(() -> store.find(Recurring.checkName(name))))
                .map(RecurringAdmin::info);
    }

    @Override
    public List<RecurringInfo> list(String prefix, int limit) {
        InputChecks.checkLimit("a list of recurring messages", limit, MAX_ROWS);
        Objects.requireNonNull(prefix, "prefix");
        return inNew(() -> store.list(prefix, limit)).stream()
                .map(RecurringAdmin::info)
                .toList();
    }

    private static RecurringInfo info(StoredRecurring row) {
        return new RecurringInfo(
                row.name(),
                row.destination(),
                row.toTopic(),
                row.schedule(),
                row.zone(),
                row.misfire(),
                Duration.of(row.graceMicros(), ChronoUnit.MICROS),
                row.skipOverlap() ? Overlap.SKIP : Overlap.ALLOW,
                Optional.ofNullable(row.ttlMicros()).map(micros -> Duration.of(micros, ChronoUnit.MICROS)),
                Duration.of(row.spreadMicros(), ChronoUnit.MICROS),
                row.paused(),
                row.declared() != null,
                row.version(),
                Optional.ofNullable(row.nextAt()),
                row.changedAt());
    }

    @Override
    public List<Instant> next(String name, int count) {
        InputChecks.checkLimit("next ticks", count, MAX_NEXT);
        StoredRecurring row = existing(name, inNew(() -> store.find(Recurring.checkName(name))));
        Schedule schedule = schedule(row);
        if (schedule.kind() == Schedule.Kind.AFTER) {
            return row.nextAt() == null || row.lastUid() != null ? List.of() : List.of(row.nextAt());
        }
        List<Instant> ticks = new ArrayList<>();
        Instant tick = row.nextAt();
        while (tick != null && ticks.size() < count) {
            ticks.add(tick);
            tick = schedule.next(tick.minus(row.spread()))
                    .map(next -> next.plus(row.spread()))
                    .orElse(null);
        }
        return ticks;
    }

    @Override
    public List<TickEntry> ticks(String name, int limit) {
        InputChecks.checkLimit("a list of ticks", limit, MAX_ROWS);
        return inNew(() -> store.ticks(Recurring.checkName(name), limit));
    }

    /**
     * Runs work in a transaction of its own, again after a deadlock: two that insert and remove the same name can end in one. The begin of a transaction throws what the
     * transaction manager throws when the database is away; the caller gets a {@link TransientQueueException} as from every other statement.
     */
    private <T extends @Nullable Object> T inNew(Callable<T> work) {
        for (int tries = 1; ; tries++) {
            try {
                return transactions.inNew(work);
            } catch (RuntimeException e) {
                DatabaseError error = DatabaseError.of(e);
                if (tries == MAX_TRIES || error != DatabaseError.ROLLED_BACK) {
                    throw error != null && error.isTransient() && !(e instanceof AcidqException)
                            ? new TransientQueueException(
                                    "recurring messages cannot be read or changed now: " + e.getMessage(), e)
                            : e;
                }
            } catch (Exception e) {
                throw new IllegalStateException(e); // the work throws no checked exception
            }
        }
    }
}
