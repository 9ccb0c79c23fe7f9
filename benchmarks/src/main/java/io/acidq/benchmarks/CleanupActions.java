package io.acidq.benchmarks;

/** What is undone at the end, also when the process is told to end before it (Ctrl-C). */
final class CleanupActions implements AutoCloseable {

    private final Runnable undo;
    private final Thread hook;

    CleanupActions(String name, Runnable undo) {
        this.undo = undo;
        this.hook = new Thread(undo, name);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) { // the process ends: it is being undone
            return;
        }
        undo.run();
    }
}
