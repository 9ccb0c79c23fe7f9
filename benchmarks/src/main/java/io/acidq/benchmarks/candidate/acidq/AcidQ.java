package io.acidq.benchmarks.candidate.acidq;

import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.admin.Subscriptions;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Candidate.CandidateKind;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.RetriedFailures;
import io.acidq.benchmarks.candidate.acidq.BenchmarkApplication.PlainJavaApplication;
import io.acidq.benchmarks.candidate.acidq.BenchmarkApplication.SpringManagedApplication;
import io.acidq.config.EngineConfig;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.HistoryOptions;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** AcidQ as a candidate: plain, with Spring and with each claim strategy. All other settings have their defaults. */
public final class AcidQ {
    private static final HandlerOptions PLAIN = HandlerOptions.defaults();
    private static final EngineConfig LANES = EngineConfig.defaults();
    private static final EngineConfig DIRECT =
            LANES.withQueueDefaults(QueueConfig.defaults().withDirectHandoff(true));
    private static final EngineConfig WITHOUT_HISTORY =
            LANES.withHistory(HistoryOptions.defaults().withEnabled(false));

    private AcidQ() {}

    /**
     * The candidates {@code acidq-1}, {@code acidq-50}, {@code acidq-external}, {@code acidq-spring}, {@code acidq-spring-untuned} with an untuned
     * pool, {@code acidq-boot} with Spring Boot and the starter, {@code acidq-direct} and {@code acidq-spring-direct}, whose enqueues claim for
     * free workers, {@code acidq-no-history}, and {@code acidq-STRATEGY} for each claim strategy that is not the default.
     */
    public static List<Candidate> all() {
        List<Candidate> all = new ArrayList<>(List.of(
                engine("acidq-1", PLAIN, LANES, PlainJavaApplication::new),
                engine("acidq-50", PLAIN.withTransactionSize(50), LANES, PlainJavaApplication::new),
                engine("acidq-no-history", PLAIN, WITHOUT_HISTORY, PlainJavaApplication::new),
                engine("acidq-external", PLAIN.withMode(HandlerMode.EXTERNAL), LANES, PlainJavaApplication::new),
                engine("acidq-spring", PLAIN, LANES, SpringManagedApplication::tuned),
                engine("acidq-spring-untuned", PLAIN, LANES, SpringManagedApplication::untuned),
                candidate("acidq-boot", PLAIN, LANES, BootAdapter::open),
                engine("acidq-direct", PLAIN, DIRECT, PlainJavaApplication::new),
                engine("acidq-spring-direct", PLAIN, DIRECT, SpringManagedApplication::tuned)));
        for (ClaimStrategy strategy : ClaimStrategy.values()) {
            if (strategy != ClaimStrategy.LANES) {
                String name =
                        "acidq-" + strategy.name().toLowerCase(Locale.ROOT).replace('_', '-');
                EngineConfig config =
                        LANES.withQueueDefaults(QueueConfig.defaults().withClaimStrategy(strategy));
                all.add(engine(name, PLAIN, config, PlainJavaApplication::new));
            }
        }
        return all;
    }

    private static Candidate engine(
            String name,
            HandlerOptions options,
            EngineConfig config,
            Function<CandidateDatabase, BenchmarkApplication> application) {
        return candidate(name, options, config, db -> new AcidQAdapter(db, application.apply(db), options, config));
    }

    private static Candidate candidate(
            String name, HandlerOptions options, EngineConfig config, Candidate.AdapterFactory adapterFactory) {
        EnumSet<Capability> capabilities = EnumSet.allOf(Capability.class);
        ClaimStrategy strategy = config.queueDefaults().claimStrategy();
        if (strategy != null && !strategy.keepsOrder()) {
            capabilities.remove(Capability.ORDERED);
        }
        boolean isTransactional = options.mode() == HandlerMode.TRANSACTIONAL;
        return new Candidate(
                name, CandidateKind.ACIDQ, isTransactional, capabilities, List.of("acidq_"), adapterFactory);
    }

    /** An engine that enqueues and, after the start, runs the handlers. */
    static final class AcidQAdapter extends EnqueueingAdapter {

        private final BenchmarkApplication application;
        private final HandlerOptions options;
        private final EngineConfig config;
        private final int queues;
        private final Store store;
        private final RetriedFailures failures = new RetriedFailures();
        private volatile Engine engine;
        private volatile boolean isStarted;

        AcidQAdapter(
                CandidateDatabase database,
                BenchmarkApplication application,
                HandlerOptions options,
                EngineConfig config) {
            super(application);
            this.application = application;
            this.options = options;
            this.queues = database.queues();
            this.config = config;
            Schema.create(application.pool());
            this.store = MyBatisStore.over(application.pool(), application.transactions());
            this.engine = Engine.builder(store).config(config).build();
        }

        @Override
        MessageQueue queue() {
            return engine.queue();
        }

        @Override
        Subscriptions subscriptions() {
            return engine.subscriptions();
        }

        /** Replaces the engine that only enqueues by one with listeners, whose enqueues wake its own workers. */
        @Override
        public void start(int workers, HandlerWork handlerWork) {
            EngineBuilder builder = Engine.builder(store).config(config).telemetry(new FailureCount(failures));
            for (int queue = 0; queue < queues; queue++) {
                builder.listen(Listener.on(name(queue), String.class, (text, delivery) -> {
                            run(handlerWork, text);
                            return Outcome.done();
                        })
                        .withConcurrency(Math.max(1, workers / queues))
                        .withOptions(options));
            }
            Engine built = builder.build();
            built.start();
            engine = built;
            isStarted = true;
        }

        private void run(HandlerWork handlerWork, @Nullable String text) throws Exception {
            if (text == null) {
                throw new IllegalStateException("a message has no text");
            }
            if (options.mode() == HandlerMode.EXTERNAL) {
                handlerWork.run(text);
            } else {
                handlerWork.run(application.connection(), text);
            }
        }

        @Override
        public void stop() {
            if (!engine.stop(config.stopTimeout())) {
                System.err.println("benchmarks: AcidQ did not stop cleanly; see the audit for the result");
            }
        }

        @Override
        public int node() {
            return engine.node();
        }

        @Override
        public Map<String, Double> failures() {
            return isStarted ? failures.figures() : Map.of();
        }

        @Override
        public void close() {
            engine.close();
        }
    }

    /** Counts the handler runs that the engine requeues or retries. */
    static final class FailureCount implements Telemetry {

        private final RetriedFailures failures;

        FailureCount(RetriedFailures failures) {
            this.failures = failures;
        }

        @Override
        public void finished(MessageId id, Outcome outcome, Duration took) {
            if (!outcome.equals(Outcome.done())) {
                failures.add(new IllegalStateException(outcome.toString()));
            }
        }

        @Override
        public void requeued(MessageId id, Throwable failure) {
            failures.add(failure);
        }

        @Override
        public void batchSplit(String queue, int messages, Throwable failure) {
            failures.add(failure);
        }
    }
}
