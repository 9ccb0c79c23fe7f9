package io.acidq.spring;

import io.acidq.config.EngineConfig;
import io.acidq.engine.Engine;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.function.SingletonSupplier;

/**
 * Starts the engine after and stops it before nearly everything else of the application. The engine is built when all singletons are
 * there, so that every listener is found.
 */
final class EngineLifecycle implements SmartLifecycle, SmartInitializingSingleton {

    private static final int PHASE = Integer.MAX_VALUE - 100;

    private final SingletonSupplier<Engine> engine;
    private final ListenerFactory listeners;
    private final EngineConfig config;
    private volatile boolean running;

    EngineLifecycle(ObjectProvider<Engine> engine, ListenerFactory listeners, EngineConfig config) {
        this.engine = SingletonSupplier.of(engine::getObject);
        this.listeners = listeners;
        this.config = config;
    }

    @Override
    public void afterSingletonsInstantiated() {
        engine.obtain();
        listeners.prepare();
    }

    @Override
    public void start() {
        engine.obtain().start();
        running = true;
    }

    @Override
    public void stop() {
        engine.obtain().stop(config.stopTimeout());
        running = false;
    }

    /** In the background, so that other beans of the phase may stop at the same time. */
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
