package io.acidq.chaos.role;

import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.MessageQueue.RescheduleResult;
import io.acidq.MessageQueue.WithdrawResult;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.Messages;
import io.acidq.admin.Operator;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Changes some messages a moment after a producer has sent them: an operator cancels them, or the producer withdraws or reschedules those that are
 * scheduled. Confined to the producer's thread.
 */
final class MessageChanges {

    /** Every second change is made at once. Some messages wait in their lane by then, some run, and some are done. */
    private static final int MAX_DELAY_MILLIS = 400;

    private static final int MAX_NEXT_DELAY_MILLIS = 2000;

    private final MessageQueue queue;
    private final Messages messages;
    private final JdbcTransactions transactions;
    private final Journal journal;
    private final Random random;
    private final PriorityQueue<Change> planned = new PriorityQueue<>(Comparator.comparingLong(Change::at));

    MessageChanges(Engine engine, JdbcTransactions transactions, Journal journal, Random random) {
        this.queue = engine.queue();
        this.messages = engine.messages();
        this.transactions = transactions;
        this.journal = journal;
        this.random = random;
    }

    private enum Kind {
        CANCEL,
        WITHDRAW,
        RESCHEDULE
    }

    private record Change(Kind kind, ChaosMessage message, MessageId id, long at) {}

    /** Plans a change of a message that was sent. */
    void plan(ChaosMessage message, MessageId id) {
        Kind kind = message.dueIn() == 0 ? Kind.CANCEL : Kind.values()[random.nextInt(Kind.values().length)];
        long delay = random.nextBoolean() ? 0 : random.nextLong(MAX_DELAY_MILLIS + message.dueIn());
        planned.add(new Change(kind, message, id, Journal.now() + TimeUnit.MILLISECONDS.toNanos(delay)));
    }

    /** Makes the planned changes whose time has come. */
    void makeDue() {
        for (Change next = planned.peek(); next != null && next.at() <= Journal.now(); next = planned.peek()) {
            planned.remove();
            switch (next.kind()) {
                case CANCEL -> cancel(next);
                case WITHDRAW -> inTransaction(next, this::withdraw);
                case RESCHEDULE -> inTransaction(next, this::reschedule);
            }
        }
    }

    /** Without an answer, the audit log says whether it has happened. */
    private void cancel(Change change) {
        String key = change.message().key();
        journal.write(Phase.CANCELLING, key);
        try {
            Messages.CancelResult answer = messages.cancel(change.id(), new Operator("chaos", "to see what happens"));
            journal.write(Phase.CANCELLED, key, answer, Journal.now());
        } catch (QueueMisuseException e) {
            journal.write(Phase.CANCELLED, key, "DEAD", Journal.now());
        } catch (TransientQueueException e) { // no answer
        }
    }

    private void withdraw(Change change) throws SQLException {
        if (queue.withdraw(change.id().queue(), messageKey(change)) == WithdrawResult.WITHDRAWN) {
            try (PreparedStatement insert = transactions.connection().prepareStatement(ChaosTables.WITHDRAWN)) {
                insert.setString(1, change.message().key());
                insert.setString(2, change.id().uid().toString());
                insert.executeUpdate();
            }
        }
    }

    private void reschedule(Change change) throws SQLException {
        long delay = random.nextInt(MAX_NEXT_DELAY_MILLIS);
        String key = change.message().key();
        move(ChaosTables.MOVE_BUSINESS, key, delay); // before the call, so that the message is not due earlier
        RescheduleResult answer = queue.reschedule(change.id().queue(), messageKey(change), Duration.ofMillis(delay));
        if (answer != RescheduleResult.RESCHEDULED) {
            throw new IllegalStateException("this transaction rolls back");
        }
        if (change.message().expiresIn() > 0) {
            move(ChaosTables.MOVE_EXPIRY, key, delay + change.message().expiresIn());
        }
    }

    private void move(String sql, String key, long millis) throws SQLException {
        try (PreparedStatement update = transactions.connection().prepareStatement(sql)) {
            update.setLong(1, 1000 * millis);
            update.setString(2, key);
            update.executeUpdate();
        }
    }

    private static String messageKey(Change change) {
        return ChaosSubscription.messageKey(change.message().key());
    }

    /** The rows of the application change with the message, so no answer of the COMMIT is needed. */
    private void inTransaction(Change change, Step step) {
        try {
            transactions.run(() -> step.run(change));
        } catch (SQLException | RuntimeException e) { // the message and those rows are unchanged, or both have changed
        }
    }

    /** A change of a message in a transaction. */
    @FunctionalInterface
    private interface Step {
        void run(Change change) throws SQLException;
    }
}
