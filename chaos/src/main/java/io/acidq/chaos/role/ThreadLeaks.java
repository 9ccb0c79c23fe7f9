package io.acidq.chaos.role;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * What engine and pool have left behind when they were closed: every thread that has come since this was made, but those that somebody else
 * has made. Thread-safe.
 */
final class ThreadLeaks {

    /** The application's own. */
    static final String OF_AN_ACTION = "deed";

    /** A step of the stop may still wait for a server that does not answer, and a proxy's black hole ends after some seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(12);

    private static final Duration BETWEEN_CHECKS = Duration.ofMillis(20);

    /** The driver's watch over connections that nobody has closed: one for the life of the JVM. And the JDK's pool. */
    private static final List<String> OF_THE_JVM =
            List.of("mysql-cj-abandoned-connection-cleanup", "ForkJoinPool.commonPool-");

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final Duration patience;

    ThreadLeaks() {
        this(PATIENCE);
    }

    ThreadLeaks(Duration patience) {
        this.patience = patience;
    }

    /** Their names; waits for those that are about to end. */
    List<String> names() {
        long began = System.nanoTime();
        List<String> names = now();
        while (!names.isEmpty() && System.nanoTime() - began < patience.toNanos()) {
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
                || thread.getName().equals(OF_AN_ACTION)
                || thread.getName().equals("DestroyJavaVM")
                || OF_THE_JVM.stream().anyMatch(thread.getName()::startsWith);
    }

    /** One that hears no interrupt was given up: nobody can end its thread. */
    private static boolean isInAHandler(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(e -> e.getClassName().equals(ChaosHandler.class.getName()));
    }
}
