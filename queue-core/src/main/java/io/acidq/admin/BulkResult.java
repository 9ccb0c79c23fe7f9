package io.acidq.admin;

/**
 * The result of a bulk action.
 *
 * @param dryRun   whether nothing was changed; the counts then say what the action would have done
 * @param matched  how many dead letters matched the filter when the action began
 * @param changed  how many of them this action replayed or discarded
 * @param lost     how many of them another operator replayed or discarded after this action had picked them; 0 in a dry run
 * @param keyTaken how many of them were not replayed, because another message now holds their message key; they stay dead letters
 */
public record BulkResult(boolean dryRun, long matched, int changed, int lost, int keyTaken) {

    /** How many dead letters were not processed because of the action's limit. */
    public long beyondLimit() {
        return matched - changed - lost - keyTaken;
    }
}
