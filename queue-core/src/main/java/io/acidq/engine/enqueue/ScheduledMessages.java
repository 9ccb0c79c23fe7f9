package io.acidq.engine.enqueue;

import io.acidq.EnqueueOptions;
import io.acidq.InputChecks;
import io.acidq.MessageQueue.RescheduleResult;
import io.acidq.MessageQueue.WithdrawResult;
import io.acidq.MessageRejectedException;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.DatabaseError;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.QueueStore;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Withdraws and reschedules messages that wait for their first due time, by their message keys, in the transaction on the calling thread. Thread-safe. */
final class ScheduledMessages {

    private final EnqueueStore store;
    private final Transactions transactions;
    private final WakeUps wakeUps;

    ScheduledMessages(EnqueueStore store, Transactions transactions, WakeUps wakeUps) {
        this.store = store;
        this.transactions = transactions;
        this.wakeUps = wakeUps;
    }

    WithdrawResult withdraw(String queue, String key) {
        checkScheduledKey("withdraw from", queue, key, EnqueueOptions.options());
        return TransactionalQueue.explaining("withdraw from", queue, () -> {
            int id = QueueStore.numberOf(queue);
            KeyState found = store.lockKey(id, key).orElse(null);
            if (found == null) {
                return WithdrawResult.UNKNOWN;
            }
            return waitsForFirstDueTime(found) && store.withdrawIfScheduled(id, found)
                    ? WithdrawResult.WITHDRAWN
                    : WithdrawResult.TOO_LATE;
        });
    }

    RescheduleResult reschedule(String queue, String key, Duration delay) {
        return reschedule(queue, key, EnqueueOptions.options().delay(requireGiven("delay", delay)));
    }

    RescheduleResult reschedule(String queue, String key, Instant at) {
        return reschedule(queue, key, EnqueueOptions.options().at(requireGiven("instant", at)));
    }

    private static <T> T requireGiven(String what, @Nullable T value) {
        if (value == null) {
            throw new MessageRejectedException(
                    "the " + what + " of a reschedule is null: say when the message is to be due, or withdraw it");
        }
        return value;
    }

    private RescheduleResult reschedule(String queue, String key, EnqueueOptions options) {
        checkScheduledKey("reschedule in", queue, key, options);
        return TransactionalQueue.explaining("reschedule in", queue, () -> {
            int id = QueueStore.numberOf(queue);
            KeyState found = store.lockKey(id, key).orElse(null);
            if (found == null) {
                return RescheduleResult.UNKNOWN;
            }
            Instant next = found.laterOf(new Due(options.delay(), options.at()));
            Instant due = found.due();
            if (due == null || !waitsForFirstDueTime(found) || !rescheduleIfScheduled(found, next)) {
                return RescheduleResult.TOO_LATE;
            }
            Duration window = Duration.between(due, found.keptUntil());
            KeyHolder holder = found.holder();
            KeyClaim moved = new KeyClaim(
                    id,
                    key,
                    holder.uid(),
                    holder.lane(),
                    new Due(null, next),
                    new Window(window.isNegative() ? Duration.ZERO : window, true));
            store.writeKeys(List.of(new KeyWrite(moved, found.takenAt(), found.scheduledId())));
            transactions.afterCommit(wakeUps::messageScheduled);
            return RescheduleResult.RESCHEDULED;
        });
    }

    private boolean rescheduleIfScheduled(KeyState found, Instant next) {
        try {
            return store.rescheduleIfScheduled(found, next);
        } catch (RuntimeException e) {
            if (DatabaseError.of(e) != DatabaseError.REFUSED) {
                throw e;
            }
            throw new MessageRejectedException(
                    "the message cannot be due at " + next
                            + ", because its expiry moves by the same time and would lie after the year 9999. Give an earlier due time, or withdraw the message and enqueue it with another expiry",
                    e);
        }
    }

    /**
     * Checks the arguments of a call that changes a scheduled message.
     *
     * @param options its new due time, which they have checked
     */
    private void checkScheduledKey(String what, String queue, @Nullable String key, EnqueueOptions options) {
        InputChecks.checkQueue(queue);
        if (key == null) {
            throw new MessageRejectedException(
                    what + " queue '" + queue + "': the key is null: give the message key of the scheduled message");
        }
        options.key(key); // checks the key
        transactions.requireTransaction(what + " '" + queue + "'", "the change commits with your data");
    }

    /** Returns whether the message that holds the key waits for its first due time. */
    private static boolean waitsForFirstDueTime(KeyState found) {
        Instant due = found.due();
        return due != null && due.isAfter(found.now());
    }
}
