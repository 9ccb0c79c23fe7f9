package io.acidq.chaos.role;

import io.acidq.EnqueueOptions;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.mybatis.JdbcTransactions;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One thread that places errands, each transaction with a row of business and a message for each. */
final class Producer implements Runnable {

    private static final int MOST_AT_ONCE = 5;
    private static final int BULK = 50;
    private static final int BULK_IN = 10;
    private static final int ORDERING_KEYS = 12;

    private final String name;
    private final JdbcTransactions transactions;
    private final MessageQueue queue;
    private final Journal journal;
    private final Temper temper;
    private final Random random;
    private long seq;
    private long misdeeds;

    Producer(String name, JdbcTransactions transactions, MessageQueue queue, Journal journal, Temper temper) {
        this.name = name;
        this.transactions = transactions;
        this.queue = queue;
        this.journal = journal;
        this.temper = temper;
        this.random = new Random(temper.seed() ^ name.hashCode());
        this.misdeeds = random.nextInt(1000);
    }

    @Override
    public void run() {
        long began = System.nanoTime();
        for (long placed = 0; !Thread.currentThread().isInterrupted(); ) {
            placed += place();
            long ahead = placed * 1_000_000_000L / temper.perSecond() - (System.nanoTime() - began);
            try {
                TimeUnit.NANOSECONDS.sleep(ahead);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** One transaction, some of them large; now and then the application changes its mind. */
    private int place() {
        boolean isBulk = random.nextInt(BULK_IN) == 0;
        List<Errand> errands = new ArrayList<>();
        for (int left = isBulk ? BULK : 1 + random.nextInt(MOST_AT_ONCE); left > 0; left--) {
            errands.add(next());
        }
        errands.forEach(e -> journal.write(Phase.INTENT, e.key(), String.valueOf(e.lane()), e.seq(), e.deed()));
        AtomicBoolean committing = new AtomicBoolean();
        boolean changesItsMind = random.nextInt(50) == 0;
        Phase end;
        try {
            transactions.run(() -> {
                if (isBulk) {
                    book(errands);
                    queue.enqueueAll(
                            Tables.QUEUE,
                            errands.stream().map(Producer::message).toList());
                } else {
                    placeOneByOne(errands);
                }
                if (changesItsMind) {
                    throw new IllegalStateException("changed its mind");
                }
                committing.set(true);
            });
            end = Phase.OK;
        } catch (SQLException | RuntimeException e) {
            end = committing.get() ? Phase.UNKNOWN : Phase.FAILED;
        }
        for (Errand errand : errands) {
            journal.write(end, errand.key());
        }
        return errands.size();
    }

    private Errand next() {
        long number = ++seq;
        String lane = random.nextBoolean() ? name + '-' + random.nextInt(ORDERING_KEYS) : null;
        long dueIn = lane == null && random.nextInt(10) == 0 ? random.nextInt(2000) : 0;
        Deed deed = temper.deed(random, misdeeds);
        if (deed != Deed.PLAIN && deed != Deed.FLAKY) {
            misdeeds++;
        }
        return new Errand(name + '-' + number, lane, number, deed, dueIn);
    }

    private void placeOneByOne(List<Errand> errands) throws SQLException {
        for (Errand errand : errands) {
            book(List.of(errand));
            queue.enqueue(Tables.QUEUE, errand, options(errand));
        }
    }

    private static NewMessage message(Errand errand) {
        return new NewMessage(errand, options(errand));
    }

    private void book(List<Errand> errands) throws SQLException {
        try (PreparedStatement insert = transactions.connection().prepareStatement(Tables.book(errands.size()))) {
            int column = 0;
            for (Errand errand : errands) {
                insert.setString(++column, errand.key());
                insert.setLong(++column, errand.dueIn() * 1000);
            }
            insert.executeUpdate();
        }
    }

    private static EnqueueOptions options(Errand errand) {
        EnqueueOptions options = EnqueueOptions.options().key(errand.key()).delay(Duration.ofMillis(errand.dueIn()));
        return errand.lane() == null ? options : options.orderingKey(errand.lane());
    }
}
