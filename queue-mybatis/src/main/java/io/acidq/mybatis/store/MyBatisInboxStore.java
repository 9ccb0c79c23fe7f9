package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.store.MyBatisInboxStore.InboxMapper.Taken;
import io.acidq.store.DatabaseError;
import io.acidq.store.InboxStore;
import io.acidq.store.InboxStore.AtomicWork;
import io.acidq.store.Transactions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.session.SqlSession;
import org.jspecify.annotations.Nullable;

/** Takes keys of the inbox in the transaction on the calling thread. */
public final class MyBatisInboxStore implements InboxStore {

    private static final int ROWS_PER_STATEMENT = 500;
    private static final SecureRandom TAKERS = new SecureRandom();

    private final MyBatisSessions sessions;
    private final Transactions transactions;

    public MyBatisInboxStore(MyBatisSessions sessions, Transactions transactions) {
        this.sessions = sessions;
        this.transactions = transactions;
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T allOrNothing(AtomicWork<T, X> atomicWork) throws X {
        return SavepointScope.run(
                sessions, transactions.requireCurrent("allOrNothing"), transactions.registeredCallbacks(), atomicWork);
    }

    @Override
    public Map<String, Instant> takeIfFree(String consumer, Collection<String> keys, Duration retention) {
        List<String> sorted = keys.stream().sorted().toList();
        long taker = TAKERS.nextLong();
        Connection current = transactions.requireCurrent("takeIfFree");
        List<List<String>> pieces = new PacketLimit(sessions)
                .chunks(
                        current,
                        "takeIfFree",
                        sorted,
                        ROWS_PER_STATEMENT,
                        key -> (long) PacketLimit.BYTES_PER_CHAR * (consumer.length() + key.length()));
        return sessions.withSession(current, "takeIfFree", s -> {
            InboxMapper mapper = s.getMapper(InboxMapper.class);
            Map<String, Instant> held = new HashMap<>();
            for (List<String> piece : pieces) {
                mapper.takeIfFree(consumer, piece, taker, Microseconds.of(retention));
                held.putAll(othersThan(taker, mapper.takers(consumer, piece), piece));
            }
            return held;
        });
    }

    private static Map<String, Instant> othersThan(long taker, List<Taken> rows, List<String> keys) {
        if (rows.size() != keys.size()) {
            throw new QueueMisuseException("only " + rows.size() + " of " + keys.size() + " keys, from '" + keys.get(0)
                    + "' on, were found in acidq_inbox after they had been inserted, because the column cut a key:"
                    + " use keys of at most 255 bytes, and compare the tables with Schema.check");
        }
        return rows.stream().filter(r -> r.taker() != taker).collect(Collectors.toMap(Taken::key, Taken::doneAt));
    }

    /**
     * A part of a transaction between a savepoint and its release. If the savepoint no longer exists at the end, the transaction is another one: after a
     * deadlock the database rolls back everything, and the next statement silently begins a new transaction.
     */
    private static final class SavepointScope {

        /** The number of nested parts that are open on this thread. */
        private static final ThreadLocal<Integer> OPEN = ThreadLocal.withInitial(() -> 0);

        private final MyBatisSessions sessions;
        private final Connection connection;
        private final Transactions.RegisteredCallbacks callbacks;
        private final int level;

        private SavepointScope(
                MyBatisSessions sessions,
                Connection connection,
                Transactions.RegisteredCallbacks callbacks,
                int level) {
            this.sessions = sessions;
            this.connection = connection;
            this.callbacks = callbacks;
            this.level = level;
        }

        static <T extends @Nullable Object, X extends Exception> T run(
                MyBatisSessions sessions,
                Connection connection,
                Transactions.RegisteredCallbacks callbacks,
                AtomicWork<T, X> atomicWork)
                throws X {
            int level = OPEN.get() + 1;
            OPEN.set(level);
            try {
                return new SavepointScope(sessions, connection, callbacks, level).run(atomicWork);
            } finally {
                if (level == 1) {
                    OPEN.remove();
                } else {
                    OPEN.set(level - 1);
                }
            }
        }

        private <T extends @Nullable Object, X extends Exception> T run(AtomicWork<T, X> atomicWork) throws X {
            execute(m -> m.setSavepoint(level));
            T result;
            try {
                result = atomicWork.run();
            } catch (Throwable failure) {
                rollback(failure);
                throw failure;
            }
            release();
            return result;
        }

        private void release() {
            try {
                execute(m -> m.releaseSavepoint(level));
            } catch (RuntimeException e) {
                DatabaseError error = DatabaseError.of(e);
                if (error != null && error.isTransient()) { // the connection is lost
                    throw e;
                }
                throw new TransientQueueException(
                        "the transaction in which the inbox's work began was lost, so roll back the rest: either the work swallowed a deadlock or"
                                + " another error that rolls back the whole transaction (do not catch it), or it ran COMMIT, ROLLBACK or DDL on"
                                + " the transaction's connection (run it in another transaction)",
                        e);
            }
        }

        private void rollback(Throwable failure) {
            try {
                callbacks.rollback(() -> {
                    execute(m -> m.rollbackToSavepoint(level));
                    execute(m -> m.releaseSavepoint(level));
                });
            } catch (RuntimeException e) {
                // The database has rolled back everything before, or the connection is lost. The first failure is the
                // cause.
                failure.addSuppressed(e);
            }
        }

        private void execute(ToIntFunction<InboxMapper> statement) {
            sessions.withSession(
                    connection, "allOrNothing", (SqlSession s) -> statement.applyAsInt(s.getMapper(InboxMapper.class)));
        }
    }

    /** Statements on the inbox, and on the savepoints around its work. */
    interface InboxMapper {

        int setSavepoint(@Param("level") int level);

        int releaseSavepoint(@Param("level") int level);

        int rollbackToSavepoint(@Param("level") int level);

        int takeIfFree(
                @Param("consumer") String consumer,
                @Param("keys") List<String> keys,
                @Param("taker") long taker,
                @Param("micros") long micros);

        List<Taken> takers(@Param("consumer") String consumer, @Param("keys") List<String> keys);

        /** A key of the inbox with the random number and the time of the transaction that took it. */
        record Taken(String key, long taker, Instant doneAt) {}
    }
}
