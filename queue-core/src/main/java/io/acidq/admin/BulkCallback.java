package io.acidq.admin;

/** Is told how far a bulk action on dead letters is, and can stop it. */
@FunctionalInterface
public interface BulkCallback {

    /**
     * Called before the first transaction of the action and after each one, on the thread of the action.
     *
     * @return whether the action goes on; if not, it returns what it has done so far
     */
    boolean proceed(BulkStatus status);

    /**
     * How far a bulk action is.
     *
     * @param bulk     the number of its entry in the audit log; 0 until it has changed something
     * @param matched  how many dead letters matched when it began
     * @param changed  how many of them it has replayed or discarded
     * @param lost     how many of them another operator replayed or discarded first
     * @param keyTaken how many of them were not replayed, because another message holds their message key
     */
    record BulkStatus(long bulk, long matched, int changed, int lost, int keyTaken) {}
}
