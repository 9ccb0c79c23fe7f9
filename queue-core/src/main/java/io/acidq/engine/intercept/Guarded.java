package io.acidq.engine.intercept;

import io.acidq.Interceptor;
import io.acidq.telemetry.Telemetry;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An interceptor whose exceptions end here. Thread-safe. */
final class Guarded {

    private final Interceptor interceptor;
    private final Telemetry telemetry;
    private final AtomicBoolean told = new AtomicBoolean();

    Guarded(Interceptor interceptor, Telemetry telemetry) {
        this.interceptor = interceptor;
        this.telemetry = telemetry;
    }

    /** What it answers; null when it threw. */
    <T> @Nullable T ask(Function<Interceptor, @Nullable T> question) {
        try {
            return question.apply(interceptor);
        } catch (Throwable e) { // an Error too: the message is not to blame
            threw(e);
            return null;
        }
    }

    /** Told once: it is called for every message. */
    void threw(Throwable e) {
        if (!told.getAndSet(true)) {
            telemetry.failing("interceptor " + interceptor.getClass().getName(), e);
        }
    }
}
