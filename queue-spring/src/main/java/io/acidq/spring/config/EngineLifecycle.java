package io.acidq.spring.config;

import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.listener.ListenerFactory;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.function.SingletonSupplier;

/**
 * Starts the engines after nearly all other beans of the application, and stops them before. The engines are built when all singletons exist,
 * so that all listeners are found.
 */
final class EngineLifecycle
        implements SmartLifecycle, SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

    private static final int PHASE = Integer.MAX_VALUE - 100;

    private final SingletonSupplier<List<Engine>> engines;
    private final ListenerFactory listeners;
    private volatile boolean running;

    EngineLifecycle(QueueEngines engines, ListenerFactory listeners) {
        this.engines = SingletonSupplier.of(() -> List.copyOf(engines.all().values()));
        this.listeners = listeners;
    }

    @Override
    public void afterSingletonsInstantiated() {
        engines.obtain();
        listeners.prepare();
    }

    /** Called for this context and for its child contexts. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        listeners.refuseListenersOf(event.getApplicationContext());
    }

    /** Starts all engines or none: if a start fails, the engines that have been started are closed. */
    @Override
    public void start() {
        List<Engine> started = new ArrayList<>();
        try {
            for (Engine engine : engines.obtain()) {
                engine.start();
                started.add(engine);
            }
        } catch (RuntimeException | Error e) {
            close(started);
            throw e;
        }
        running = true;
    }

    @Override
    public void stop() {
        close(engines.obtain());
        running = false;
    }

    /** Closes the engines concurrently, so that each can use the whole stop timeout. */
    private static void close(List<Engine> engines) {
        List<Thread> others = new ArrayList<>();
        for (Engine engine : engines.subList(Math.min(1, engines.size()), engines.size())) {
            Thread thread = new Thread(engine::close, "acidq-stop-another");
            thread.start();
            others.add(thread);
        }
        if (!engines.isEmpty()) {
            engines.get(0).close();
        }
        try {
            for (Thread other : others) {
                other.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops in the background, so that other beans of the phase can stop at the same time. */
    @Override
    public void stop(Runnable callback) {
        Thread stopping = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        callback.run();
                    }
                },
                "acidq-stop");
        stopping.start();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
