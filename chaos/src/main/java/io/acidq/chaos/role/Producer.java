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
    private final ProducerBehaviour producerBehaviour;
    private final Random random;
    private long seq;
    private long faultyActions;

    Producer(
            String name,
            JdbcTransactions transactions,
            MessageQueue queue,
            Journal journal,
            ProducerBehaviour producerBehaviour) {
        this.name = name;
        this.transactions = transactions;
        this.queue = queue;
        this.journal = journal;
        this.producerBehaviour = producerBehaviour;
        this.random = new Random(producerBehaviour.seed() ^ name.hashCode());
        this.faultyActions = random.nextInt(1000);
    }

    @Override
    public void run() {
        long began = System.nanoTime();
        for (long placed = 0; !Thread.currentThread().isInterrupted(); ) {
            placed += place();
            long ahead = placed * 1_000_000_000L / producerBehaviour.perSecond() - (System.nanoTime() - began);
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
        List<ChaosMessage> chaosMessages = new ArrayList<>();
        for (int left = isBulk ? BULK : 1 + random.nextInt(MOST_AT_ONCE); left > 0; left--) {
            chaosMessages.add(next());
        }
        chaosMessages.forEach(e -> journal.write(Phase.INTENT, e.key(), String.valueOf(e.lane()), e.seq(), e.action()));
        AtomicBoolean committing = new AtomicBoolean();
        boolean changesItsMind = random.nextInt(50) == 0;
        Phase end;
        try {
            transactions.run(() -> {
                if (isBulk) {
                    book(chaosMessages);
                    queue.enqueueAll(
                            Tables.QUEUE,
                            chaosMessages.stream().map(Producer::message).toList());
                } else {
                    placeSingly(chaosMessages);
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
        for (ChaosMessage chaosMessage : chaosMessages) {
            journal.write(end, chaosMessage.key());
        }
        return chaosMessages.size();
    }

    private ChaosMessage next() {
        long number = ++seq;
        String lane = random.nextBoolean() ? name + '-' + random.nextInt(ORDERING_KEYS) : null;
        long dueIn = lane == null && random.nextInt(10) == 0 ? random.nextInt(2000) : 0;
        HandlerAction handlerAction = producerBehaviour.chooseAction(random, faultyActions);
        if (handlerAction != HandlerAction.PLAIN && handlerAction != HandlerAction.FLAKY) {
            faultyActions++;
        }
        return new ChaosMessage(name + '-' + number, lane, number, handlerAction, dueIn);
    }

    private void placeSingly(List<ChaosMessage> chaosMessages) throws SQLException {
        for (ChaosMessage chaosMessage : chaosMessages) {
            book(List.of(chaosMessage));
            queue.enqueue(Tables.QUEUE, chaosMessage, options(chaosMessage));
        }
    }

    private static NewMessage message(ChaosMessage chaosMessage) {
        return new NewMessage(chaosMessage, options(chaosMessage));
    }

    private void book(List<ChaosMessage> chaosMessages) throws SQLException {
        try (PreparedStatement insert = transactions.connection().prepareStatement(Tables.book(chaosMessages.size()))) {
            int column = 0;
            for (ChaosMessage chaosMessage : chaosMessages) {
                insert.setString(++column, chaosMessage.key());
                insert.setLong(++column, chaosMessage.dueIn() * 1000);
            }
            insert.executeUpdate();
        }
    }

    private static EnqueueOptions options(ChaosMessage chaosMessage) {
        EnqueueOptions options =
                EnqueueOptions.options().key(chaosMessage.key()).delay(Duration.ofMillis(chaosMessage.dueIn()));
        return chaosMessage.lane() == null ? options : options.orderingKey(chaosMessage.lane());
    }
}
