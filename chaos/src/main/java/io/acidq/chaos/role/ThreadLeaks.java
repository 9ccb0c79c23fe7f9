package io.acidq.chaos.role;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads that engine and pool have left behind after their close: all threads that are newer than this object, except those of other parts of
 * the process. Thread-safe.
 */
final class ThreadLeaks {

    /** The name of a thread of a handler's action. */
    static final String ACTION_THREAD = "handler-action";

    /** The stop may still wait for a server that does not answer, and a black hole of the proxy ends after some seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(12);

    private static final Duration BETWEEN_CHECKS = Duration.ofMillis(20);

    /** The driver's cleanup thread and the JDK's pool, which live as long as the JVM. */
    private static final List<String> OF_THE_JVM =
            List.of("mysql-cj-abandoned-connection-cleanup", "ForkJoinPool.commonPool-");

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final Duration timeout;

    ThreadLeaks() {
        this(PATIENCE);
    }

    ThreadLeaks(Duration timeout) {
        this.timeout = timeout;
    }

    /** The names of the threads. Waits for those that are about to end. */
    List<String> names() {
        long start = System.nanoTime();
        List<String> names = now();
        while (!names.isEmpty() && System.nanoTime() - start < timeout.toNanos()) {
            LockSupport.parkNanos(BETWEEN_CHECKS.toNanos());
            names = now();
        }
        return names;
    }

    private List<String> now() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(e -> !before.contains(e.getKey()) && !isOfAnother(e.getKey()) && !isInAHandler(e.getValue()))
                .map(e -> e.getKey().getName())
                .sorted()
                .toList();
    }

    private static boolean isOfAnother(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group == null // it has just ended
                || !group.getName().equals("main")
                || thread == Thread.currentThread()
                || thread.getName().equals(ACTION_THREAD)
                || thread.getName().equals("DestroyJavaVM")
                || OF_THE_JVM.stream().anyMatch(thread.getName()::startsWith);
    }

    /** The thread of a handler that ignored its interrupt was abandoned and cannot be ended. */
    private static boolean isInAHandler(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(e -> e.getClassName().equals(ChaosHandler.class.getName()));
    }
}
