package io.acidq.admin;

/**
 * What a bulk action did, or would do.
 *
 * @param dryRun   whether nothing was changed: the counts then tell what would be
 * @param matched  the dead letters that matched the filter when the action began
 * @param changed  those that this action replayed or discarded
 * @param lost     those that somebody else had replayed or discarded between the moment when the action picked them and the moment when
 *                 their turn came; 0 in a dry run
 * @param keyTaken those that were not replayed, because another message holds their message key by now: they are dead letters still
 */
public record BulkResult(boolean dryRun, long matched, int changed, int lost, int keyTaken) {

    /** Those that the action left alone because of its limit. */
    public long beyondLimit() {
        return matched - changed - lost - keyTaken;
    }
}
