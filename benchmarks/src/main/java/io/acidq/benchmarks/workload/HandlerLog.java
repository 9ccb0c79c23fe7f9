package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.measure.CostMeter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.LongPredicate;
import javax.sql.DataSource;

/** The handlers of a run. Each inserts its effect, and this log records which messages have started and ended. Thread-safe. */
final class HandlerLog implements HandlerWork {

    private final DataSource pool;
    private final HandlerBehaviour behaviour;
    private final AtomicLongArray ended;
    private final AtomicLongArray started;
    private final AtomicLong done = new AtomicLong();
    private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAccumulator last = new LongAccumulator(Math::max, Long.MIN_VALUE);
    private final AtomicLong counted = new AtomicLong();

    /**
     * Further work of the handlers.
     *
     * @param listener called at the start and the end of each handler
     * @param before   called before the effect
     * @param counts   selects the messages whose rate is measured
     * @param latency  whether the start time of each message is recorded
     */
    record HandlerBehaviour(HandlerListener listener, BeforeHandler before, LongPredicate counts, boolean latency) {

        /** No further work. */
        static final HandlerBehaviour PLAIN = new HandlerBehaviour(HandlerListener.NONE, id -> {}, id -> true, false);

        /** No further work, with start times. */
        static final HandlerBehaviour TIMED = new HandlerBehaviour(HandlerListener.NONE, id -> {}, id -> true, true);
    }

    /** Called on the thread of each handler. */
    interface HandlerListener {

        /** Does nothing. */
        HandlerListener NONE = new HandlerListener() {
            @Override
            public void onStart(long id) {}

            @Override
            public void onEnd(long id) {}
        };

        void onStart(long id);

        /** Called after a failure too. */
        void onEnd(long id);
    }

    /** Work before the effect. It may wait and throw. */
    interface BeforeHandler {
        void handle(long id) throws Exception;
    }

    /**
     * Creates a log for messages with ids from 0.
     *
     * @param pool for handlers without a transaction, with autocommit on
     */
    HandlerLog(DataSource pool, long messages, HandlerBehaviour behaviour) {
        this.pool = pool;
        this.behaviour = behaviour;
        this.ended = new AtomicLongArray(Math.toIntExact(messages / Long.SIZE + 1));
        this.started = new AtomicLongArray(behaviour.latency() ? Math.toIntExact(messages) : 0);
    }

    @Override
    public void run(String text) throws Exception {
        long id = BenchmarkMessage.idOf(text);
        behaviour.listener().onStart(id);
        try {
            start(id);
            try (Connection connection = pool.getConnection()) {
                insert(connection, id, text);
            }
            end(id);
        } finally {
            behaviour.listener().onEnd(id);
        }
    }

    @Override
    public void run(Connection connection, String text) throws Exception {
        long id = BenchmarkMessage.idOf(text);
        behaviour.listener().onStart(id);
        try {
            start(id);
            insert(connection, id, text);
            end(id);
        } finally {
            behaviour.listener().onEnd(id);
        }
    }

    private void start(long id) throws Exception {
        if (behaviour.latency()) {
            started.compareAndSet((int) id, 0, CostMeter.epochNanos());
        }
        if (behaviour.counts().test(id)) {
            first.accumulate(System.nanoTime());
        }
        behaviour.before().handle(id);
    }

    private static void insert(Connection connection, long id, String text) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO bench_effect (letter, body) VALUES (?, ?)")) {
            insert.setLong(1, id);
            insert.setString(2, BenchmarkTables.body(text));
            insert.executeUpdate();
        }
    }

    private void end(long id) {
        long bit = 1L << (id % Long.SIZE);
        long before = ended.getAndAccumulate((int) (id / Long.SIZE), bit, (a, b) -> a | b);
        if ((before & bit) == 0) {
            if (behaviour.counts().test(id)) {
                last.accumulate(System.nanoTime());
                counted.incrementAndGet();
            }
            done.incrementAndGet();
        }
    }

    /** The number of different messages whose handler has ended. */
    long done() {
        return done.get();
    }

    /** The rate of the counted messages, from the start of the first to the end of the last. */
    double perSecond() {
        long nanos = last.get() - first.get();
        return counted.get() == 0 || nanos <= 0 ? 0 : counted.get() * 1e9 / nanos;
    }

    /** The start time of a message by {@link CostMeter#epochNanos}; 0 if it has not started. */
    long startedAt(int id) {
        return started.get(id);
    }

    /** Waits until enough different messages are done. Returns false if none is done for the timeout. */
    boolean await(long wanted, Duration timeout, BenchmarkRun.Progress progress) throws InterruptedException {
        long seen = -1;
        long since = System.nanoTime();
        while (done() < wanted) {
            long now = done();
            if (now != seen) {
                seen = now;
                since = System.nanoTime();
                progress.at(now, wanted);
            } else if (System.nanoTime() - since > timeout.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        progress.at(wanted, wanted);
        return true;
    }
}
