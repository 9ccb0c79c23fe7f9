package io.acidq.engine.listener;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The state of a worker's thread before a call of a handler, which the next handler on the thread must find again.
 *
 * @param isInterrupted whether the thread was interrupted
 * @param classLoader   the context class loader
 * @param onUncaught    receives exceptions that nothing caught; the thread group if the thread has no handler of its own
 * @param mdc           the logging context; null when it was empty
 */
record ThreadSnapshot(
        boolean isInterrupted,
        String name,
        int priority,
        @Nullable ClassLoader classLoader,
        @Nullable UncaughtExceptionHandler onUncaught,
        @Nullable Map<String, String> mdc) {

    static ThreadSnapshot ofCurrentThread() {
        Thread thread = Thread.currentThread();
        return new ThreadSnapshot(
                thread.isInterrupted(),
                thread.getName(),
                thread.getPriority(),
                thread.getContextClassLoader(),
                thread.getUncaughtExceptionHandler(),
                MDC.getCopyOfContextMap());
    }

    /** Restores the state, and clears an interrupt that the handler has left: the acknowledgement must not meet it. */
    void restore() {
        if (!isInterrupted) {
            Thread.interrupted();
        }
        restoreAttributes();
    }

    /** Restores the state except for the interrupt, which may be that of the stop of the engine. */
    @SuppressWarnings("ThreadPriorityCheck") // the priority that the thread had
    void restoreAttributes() {
        Thread thread = Thread.currentThread();
        if (!thread.getName().equals(name)) {
            thread.setName(name);
        }
        if (thread.getPriority() != priority) {
            thread.setPriority(priority);
        }
        if (thread.getContextClassLoader() != classLoader) {
            thread.setContextClassLoader(classLoader);
        }
        if (thread.getUncaughtExceptionHandler() != onUncaught) {
            thread.setUncaughtExceptionHandler(onUncaught);
        }
        if (mdc == null || mdc.isEmpty()) {
            MDC.clear();
        } else {
            MDC.setContextMap(mdc);
        }
    }
}
