package io.acidq.chaos.role;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.Published;
import io.acidq.Receipts;
import io.acidq.TransientQueueException;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that sends messages until it is asked to stop. Arguments: URL, user, password, journal, name, threads, messages a second, seed, faulty
 * actions, and one in how many messages has one, transactions publishes, messages expires, and messages is cancelled or changed.
 */
final class ProducerMain {

    private ProducerMain() {}

    public static void main(String[] args) throws InterruptedException {
        ParentWatch.start();
        DatabaseLogin databaseLogin = new DatabaseLogin(args[0], args[1], args[2]);
        int threads = Integer.parseInt(args[5]);
        Set<HandlerAction> faultyActions = EnumSet.noneOf(HandlerAction.class);
        for (String action : args[8].split(",", 0)) {
            if (!action.isEmpty()) {
                faultyActions.add(HandlerAction.valueOf(action));
            }
        }
        ProducerBehaviour behaviour = new ProducerBehaviour(
                Long.parseLong(args[7]),
                Integer.parseInt(args[6]),
                faultyActions,
                Integer.parseInt(args[9]),
                Integer.parseInt(args[10]),
                Integer.parseInt(args[11]),
                Integer.parseInt(args[12]));
        List<Thread> producing = new ArrayList<>();
        try (HikariDataSource pool = databaseLogin.pool(threads + 2);
                Journal journal = Journal.open(Path.of(args[3]))) {
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Engine engine =
                    Engine.builder(MyBatisStore.over(pool, transactions)).build();
            for (int i = 0; i < threads; i++) {
                producing.add(new Thread(
                        new Producer(args[4] + '.' + i, transactions, engine, journal, behaviour), "producer-" + i));
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> producing.forEach(ProducerMain::end)));
            producing.forEach(Thread::start);
            for (Thread thread : producing) {
                thread.join();
            }
        }
    }

    private static void end(Thread thread) {
        thread.interrupt();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread that sends messages. Each transaction inserts a business row for each of its messages, and for each copy of a published one. */
    static final class Producer implements Runnable {

        private static final int MAX_SINGLE = 5;
        private static final int BULK = 50;
        private static final int BULK_IN = 10;
        private static final int ORDERING_KEYS = 12;

        /** Longer than any run. */
        private static final Duration RESULTS_KEPT = Duration.ofDays(30);

        private final String name;
        private final JdbcTransactions transactions;
        private final MessageQueue queue;
        private final Receipts receipts;
        private final Journal journal;
        private final ProducerBehaviour behaviour;
        private final Random random;
        private final MessageChanges changes;
        private long seq;
        private long faultyActions;

        Producer(
                String name,
                JdbcTransactions transactions,
                Engine engine,
                Journal journal,
                ProducerBehaviour behaviour) {
            this.name = name;
            this.transactions = transactions;
            this.queue = engine.queue();
            this.receipts = engine.receipts();
            this.journal = journal;
            this.behaviour = behaviour;
            this.random = new Random(behaviour.seed() ^ name.hashCode());
            this.changes = new MessageChanges(engine, transactions, journal, random);
            this.faultyActions = random.nextInt(1000);
        }

        @Override
        public void run() {
            long start = System.nanoTime();
            for (long sent = 0; !Thread.currentThread().isInterrupted(); ) {
                sent += send();
                changes.makeDue();
                long ahead = sent * 1_000_000_000L / behaviour.perSecond() - (System.nanoTime() - start);
                try {
                    TimeUnit.NANOSECONDS.sleep(ahead);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        /** Sends the messages of one transaction, sometimes many. Some transactions roll back. */
        private int send() {
            boolean isPublished = behaviour.choosePublish(random);
            boolean isBulk = random.nextInt(BULK_IN) == 0;
            List<ChaosMessage> messages = new ArrayList<>();
            for (int left = isBulk ? BULK : 1 + random.nextInt(MAX_SINGLE); left > 0; left--) {
                messages.add(next());
            }
            List<ChaosMessage> copies = copies(messages, isPublished);
            copies.forEach(e -> journal.write(
                    Phase.INTENT,
                    e.key(),
                    String.valueOf(e.lane()),
                    e.seq(),
                    e.action(),
                    hasReceipt(e),
                    e.expiresIn()));
            AtomicBoolean committing = new AtomicBoolean();
            boolean rollsBack = random.nextInt(50) == 0;
            Map<String, MessageId> ids = new HashMap<>();
            Phase end;
            try {
                transactions.run(() -> {
                    if (isPublished) {
                        publish(messages, ids);
                    } else if (isBulk) {
                        book(messages);
                        List<Enqueued> all = queue.enqueueAll(
                                ChaosTables.QUEUE,
                                messages.stream().map(this::message).toList());
                        for (int i = 0; i < all.size(); i++) {
                            ids.put(messages.get(i).key(), all.get(i).id());
                        }
                    } else {
                        sendSingly(messages, ids);
                    }
                    bookExpiries(copies);
                    if (rollsBack) {
                        throw new IllegalStateException("this transaction rolls back");
                    }
                    committing.set(true);
                });
                end = Phase.OK;
            } catch (SQLException | RuntimeException e) {
                end = committing.get() ? Phase.UNKNOWN : Phase.FAILED;
            }
            for (ChaosMessage copy : copies) {
                journal.write(end, copy.key());
            }
            if (end == Phase.OK) {
                copies.stream()
                        .filter(copy -> behaviour.chooseChange(random, copy.dueIn() > 0))
                        .forEach(copy -> changes.plan(copy, Objects.requireNonNull(ids.get(copy.key()))));
            }
            if (end == Phase.UNKNOWN) {
                ids.forEach((key, id) -> {
                    if (id.hasReceipt()) {
                        askWhetherCommitted(key, id);
                    }
                });
            }
            return messages.size();
        }

        /** Asks until the database answers. Writes nothing if the producer is stopped before. */
        private void askWhetherCommitted(String key, MessageId id) {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    Receipts.Committed answer = receipts.committed(id);
                    journal.write(Phase.ANSWERED, key, answer);
                    return;
                } catch (TransientQueueException e) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                }
            }
        }

        /** Every second message has a receipt. One that expires must have it, because nothing else says that it has expired. */
        private static boolean hasReceipt(ChaosMessage message) {
            return message.seq() % 2 == 0 || message.expiresIn() > 0;
        }

        private ChaosMessage next() {
            long number = ++seq;
            String lane = random.nextBoolean() ? name + '-' + random.nextInt(ORDERING_KEYS) : null;
            long dueIn = lane == null && random.nextInt(10) == 0 ? random.nextInt(2000) : 0;
            HandlerAction action = behaviour.chooseAction(random, faultyActions);
            if (action != HandlerAction.PLAIN && action != HandlerAction.FLAKY) {
                faultyActions++;
            }
            long expiresIn = lane == null ? behaviour.chooseExpiry(random) : 0;
            return new ChaosMessage(name + '-' + number, lane, number, action, dueIn, expiresIn);
        }

        private static List<ChaosMessage> copies(List<ChaosMessage> messages, boolean isPublished) {
            return messages.stream()
                    .flatMap(message -> ChaosSubscription.copies(message, isPublished).stream())
                    .toList();
        }

        private void publish(List<ChaosMessage> messages, Map<String, MessageId> ids) throws SQLException {
            for (ChaosMessage message : messages) {
                book(copies(List.of(message), true));
                Published published = queue.publish(ChaosSubscription.TOPIC, message, options(message));
                for (ChaosSubscription subscription : ChaosSubscription.values()) {
                    Enqueued copy = published.subscriptions().get(subscription.subscription());
                    ids.put(
                            subscription.copy(message).key(),
                            Objects.requireNonNull(copy).id());
                }
            }
        }

        private void sendSingly(List<ChaosMessage> messages, Map<String, MessageId> ids) throws SQLException {
            for (ChaosMessage message : messages) {
                book(List.of(message));
                ids.put(
                        message.key(),
                        queue.enqueue(ChaosTables.QUEUE, message, options(message))
                                .id());
            }
        }

        private NewMessage message(ChaosMessage message) {
            return new NewMessage(message, options(message));
        }

        private void bookExpiries(List<ChaosMessage> messages) throws SQLException {
            List<ChaosMessage> expiring =
                    messages.stream().filter(m -> m.expiresIn() > 0).toList();
            if (expiring.isEmpty()) {
                return;
            }
            try (PreparedStatement insert =
                    transactions.connection().prepareStatement(ChaosTables.insertExpiries(expiring.size()))) {
                int column = 0;
                for (ChaosMessage message : expiring) {
                    insert.setString(++column, message.key());
                    insert.setLong(++column, 1000 * (message.dueIn() + message.expiresIn()));
                }
                insert.executeUpdate();
            }
        }

        private void book(List<ChaosMessage> messages) throws SQLException {
            try (PreparedStatement insert =
                    transactions.connection().prepareStatement(ChaosTables.insertBusiness(messages.size()))) {
                int column = 0;
                for (ChaosMessage message : messages) {
                    insert.setString(++column, message.key());
                    insert.setLong(++column, message.dueIn() * 1000);
                }
                insert.executeUpdate();
            }
        }

        private EnqueueOptions options(ChaosMessage message) {
            EnqueueOptions options =
                    EnqueueOptions.options().key(message.key()).delay(Duration.ofMillis(message.dueIn()));
            EnqueueOptions tracked = hasReceipt(message) ? options.result(RESULTS_KEPT) : options;
            if (message.lane() != null) {
                return tracked.orderingKey(message.lane());
            }
            EnqueueOptions prioritized = tracked.priority(behaviour.choosePriority(random));
            return message.expiresIn() == 0
                    ? prioritized
                    : prioritized.expiresAfter(Duration.ofMillis(message.expiresIn()));
        }
    }
}
