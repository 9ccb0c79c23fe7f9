package io.acidq.benchmarks.candidate.acidq;

import io.acidq.EnqueueOptions;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.Failures;
import io.acidq.benchmarks.candidate.Letter;
import io.acidq.benchmarks.candidate.Parcel;
import io.acidq.benchmarks.candidate.Remains;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.candidate.Work;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.Mode;
import io.acidq.config.QueueConfig;
import io.acidq.config.RunOptions;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.store.Store;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One engine that enqueues and, once started, runs the handlers. */
final class AcidQBench implements Bench {

    private static final int AT_ONCE = 1000;

    private final Host host;
    private final RunOptions options;
    private final EngineConfig config;
    private final int queues;
    private final Store store;
    private final RestTables tables;
    private final Failures failures = new Failures();
    private volatile Engine engine;
    private volatile boolean isStarted;

    AcidQBench(Site site, Host host, RunOptions options, QueueConfig queue) {
        this.host = host;
        this.options = options;
        this.queues = site.queues();
        this.config = EngineConfig.defaults().withQueueDefaults(queue);
        this.tables = new RestTables(host.pool());
        Schema.create(host.pool());
        this.store = MyBatisStore.over(host.pool(), host.transactions());
        this.engine = Engine.builder(store).config(config).build();
    }

    static String name(int queue) {
        return "bench." + queue;
    }

    @Override
    public void place(Parcel parcel) throws Exception {
        host.inTransaction(() -> {
            if (parcel.business()) {
                BusinessRows.insert(host.connection(), parcel.letters());
            }
            enqueue(parcel.letters());
        });
    }

    private void enqueue(List<Letter> letters) {
        if (letters.size() == 1) {
            Letter letter = letters.get(0);
            engine.queue().enqueue(name(letter.queue()), letter.text(), options(letter));
            return;
        }
        Map<Integer, List<NewMessage>> byQueue = new LinkedHashMap<>();
        for (Letter letter : letters) {
            byQueue.computeIfAbsent(letter.queue(), q -> new ArrayList<>())
                    .add(new NewMessage(letter.text(), options(letter)));
        }
        byQueue.forEach((queue, messages) -> engine.queue().enqueueAll(name(queue), messages));
    }

    private static EnqueueOptions options(Letter letter) {
        EnqueueOptions options = EnqueueOptions.options();
        String key = letter.messageKey();
        String orderingKey = letter.orderingKey();
        options = key == null ? options : options.key(key);
        return orderingKey == null ? options : options.orderingKey(orderingKey);
    }

    @Override
    public void fill(Stock stock) throws Exception {
        for (long first = 0; first < stock.count(); first += AT_ONCE) {
            place(new Parcel(stock.part(first, AT_ONCE), false));
        }
    }

    @Override
    public void litter(Remains remains) throws Exception {
        List<NewMessage> tomorrow = tables.scheduled(AT_ONCE);
        for (long made = 0; made < remains.scheduled(); made += AT_ONCE) {
            int some = (int) Math.min(AT_ONCE, remains.scheduled() - made);
            host.inTransaction(() -> engine.queue().enqueueAll(name(0), tomorrow.subList(0, some)));
        }
        tables.litter(name(0), remains);
    }

    /** The engine that only enqueued gives way to one with listeners, which wakes its own workers. */
    @Override
    public void start(int workers, Work work) {
        EngineBuilder builder = Engine.builder(store).config(config).telemetry(new FailureCount(failures));
        for (int queue = 0; queue < queues; queue++) {
            builder.listen(Listener.on(name(queue), String.class, (text, delivery) -> {
                        run(work, text);
                        return Outcome.done();
                    })
                    .withWorkers(Math.max(1, workers / queues))
                    .withOptions(options));
        }
        Engine built = builder.build();
        built.start();
        engine = built;
        isStarted = true;
    }

    private void run(Work work, @Nullable String text) throws Exception {
        if (text == null) {
            throw new IllegalStateException("a letter without text");
        }
        if (options.mode() == Mode.EXTERNAL) {
            work.run(text);
        } else {
            work.run(host.connection(), text);
        }
    }

    @Override
    public void stop() {
        if (!engine.stop(config.stopTimeout())) {
            System.err.println("benchmarks: AcidQ did not stop in good order; the audit tells what came of it");
        }
    }

    @Override
    public void left(LongConsumer letters) throws SQLException {
        tables.left(letters);
    }

    @Override
    public int node() {
        return engine.node();
    }

    @Override
    public Map<Integer, Long> claims() throws SQLException {
        return tables.claims();
    }

    /** Of this process. */
    @Override
    public Map<String, Double> failures() {
        return isStarted ? failures.figures() : Map.of();
    }

    @Override
    public void close() {
        engine.close();
    }
}
