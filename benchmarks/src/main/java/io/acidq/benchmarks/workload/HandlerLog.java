package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.Tables;
import io.acidq.benchmarks.measure.EpochClock;
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

/** The handlers of a run: each inserts its effect, and it is noted here which messages they have begun and ended. Thread-safe. */
final class HandlerLog implements HandlerWork {

    private final DataSource pool;
    private final HandlerBehaviour handlerBehaviour;
    private final AtomicLongArray ended;
    private final AtomicLongArray begun;
    private final AtomicLong done = new AtomicLong();
    private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAccumulator last = new LongAccumulator(Math::max, Long.MIN_VALUE);
    private final AtomicLong counted = new AtomicLong();

    /**
     * What handlers do besides.
     *
     * @param watch   hears of each handler
     * @param before  called first
     * @param counts  which messages the rate is about
     * @param latency whether the begin of each message is noted
     */
    record HandlerBehaviour(HandlerListener watch, BeforeHandler before, LongPredicate counts, boolean latency) {

        /** Nothing. */
        static final HandlerBehaviour PLAIN = new HandlerBehaviour(HandlerListener.NONE, id -> {}, id -> true, false);

        /** Nothing, and when each begins is noted. */
        static final HandlerBehaviour TIMED = new HandlerBehaviour(HandlerListener.NONE, id -> {}, id -> true, true);
    }

    /** Hears of each handler, on its thread. */
    interface HandlerListener {

        /** Of none. */
        HandlerListener NONE = new HandlerListener() {
            @Override
            public void begins(long id) {}

            @Override
            public void ends(long id) {}
        };

        void begins(long id);

        /** Also of one that fails. */
        void ends(long id);
    }

    /** May wait, and may throw, as handlers do. */
    interface BeforeHandler {
        void handle(long id) throws Exception;
    }

    /**
     * For letters with ids from 0.
     *
     * @param pool for handlers without a transaction, with autocommit on
     */
    HandlerLog(DataSource pool, long letters, HandlerBehaviour handlerBehaviour) {
        this.pool = pool;
        this.handlerBehaviour = handlerBehaviour;
        this.ended = new AtomicLongArray(Math.toIntExact(letters / Long.SIZE + 1));
        this.begun = new AtomicLongArray(handlerBehaviour.latency() ? Math.toIntExact(letters) : 0);
    }

    @Override
    public void run(String text) throws Exception {
        long id = BenchmarkMessage.idOf(text);
        handlerBehaviour.watch().begins(id);
        try {
            begin(id);
            try (Connection connection = pool.getConnection()) {
                insert(connection, id, text);
            }
            end(id);
        } finally {
            handlerBehaviour.watch().ends(id);
        }
    }

    @Override
    public void run(Connection connection, String text) throws Exception {
        long id = BenchmarkMessage.idOf(text);
        handlerBehaviour.watch().begins(id);
        try {
            begin(id);
            insert(connection, id, text);
            end(id);
        } finally {
            handlerBehaviour.watch().ends(id);
        }
    }

    private void begin(long id) throws Exception {
        if (handlerBehaviour.latency()) {
            begun.compareAndSet((int) id, 0, EpochClock.nanos());
        }
        if (handlerBehaviour.counts().test(id)) {
            first.accumulate(System.nanoTime());
        }
        handlerBehaviour.before().handle(id);
    }

    private static void insert(Connection connection, long id, String text) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO bench_effect (letter, body) VALUES (?, ?)")) {
            insert.setLong(1, id);
            insert.setString(2, Tables.body(text));
            insert.executeUpdate();
        }
    }

    private void end(long id) {
        long bit = 1L << (id % Long.SIZE);
        long before = ended.getAndAccumulate((int) (id / Long.SIZE), bit, (a, b) -> a | b);
        if ((before & bit) == 0) {
            if (handlerBehaviour.counts().test(id)) {
                last.accumulate(System.nanoTime());
                counted.incrementAndGet();
            }
            done.incrementAndGet();
        }
    }

    /** Different messages whose handler has ended. */
    long done() {
        return done.get();
    }

    /** Of those that count: from the begin of the first to the end of the last. */
    double perSecond() {
        long nanos = last.get() - first.get();
        return counted.get() == 0 || nanos <= 0 ? 0 : counted.get() * 1e9 / nanos;
    }

    /** When the message began, by {@link EpochClock}; 0 when it did not. */
    long begunAt(int id) {
        return begun.get(id);
    }

    /** Waits until so many different messages are done; false when none was for too long. */
    boolean await(long wanted, Duration patience, BenchmarkRun.Progress progress) throws InterruptedException {
        long seen = -1;
        long since = System.nanoTime();
        while (done() < wanted) {
            long now = done();
            if (now != seen) {
                seen = now;
                since = System.nanoTime();
                progress.at(now, wanted);
            } else if (System.nanoTime() - since > patience.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        progress.at(wanted, wanted);
        return true;
    }
}
