package io.acidq.benchmarks.candidate.acidq;

import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Failures;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.config.EngineConfig;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.store.Store;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One engine that enqueues and, once started, runs the handlers. */
final class AcidQAdapter extends EnqueueingAdapter {

    private final Host host;
    private final HandlerOptions options;
    private final EngineConfig config;
    private final int queues;
    private final Store store;
    private final Failures failures = new Failures();
    private volatile Engine engine;
    private volatile boolean isStarted;

    AcidQAdapter(CandidateDatabase candidateDatabase, Host host, HandlerOptions options, QueueConfig queue) {
        super(host);
        this.host = host;
        this.options = options;
        this.queues = candidateDatabase.queues();
        this.config = EngineConfig.defaults().withQueueDefaults(queue);
        Schema.create(host.pool());
        this.store = MyBatisStore.over(host.pool(), host.transactions());
        this.engine = Engine.builder(store).config(config).build();
    }

    @Override
    MessageQueue queue() {
        return engine.queue();
    }

    /** The engine that only enqueued gives way to one with listeners, which wakes its own workers. */
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
            throw new IllegalStateException("a letter without text");
        }
        if (options.mode() == HandlerMode.EXTERNAL) {
            handlerWork.run(text);
        } else {
            handlerWork.run(host.connection(), text);
        }
    }

    @Override
    public void stop() {
        if (!engine.stop(config.stopTimeout())) {
            System.err.println("benchmarks: AcidQ did not stop in good order; the audit tells what came of it");
        }
    }

    @Override
    public int node() {
        return engine.node();
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
