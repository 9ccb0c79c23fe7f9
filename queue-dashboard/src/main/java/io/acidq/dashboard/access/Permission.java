package io.acidq.dashboard.access;

/** The permissions of users. Every route of the dashboard needs one of these. */
public enum Permission {
    /** Numbers, ids, states, types, times, reasons, nodes, and the first line of errors, masked. */
    VIEW,
    /** Masked payloads and headers, whole errors, whole keys, the search by key, and the details of audit entries. */
    CONTENT,
    /** Pause, resume, replay, release, cancel, and the actions on recurring messages except for their removal. */
    OPERATE,
    /** Actions that cannot be undone: discard dead letters, remove recurring messages and subscriptions. */
    DESTROY,
    /** Payloads and headers without the mask. No level has it by itself. */
    UNMASKED;

    /** Returns whether it changes something. A dashboard that is read-only gives no such permission. */
    public boolean changes() {
        return this == OPERATE || this == DESTROY;
    }
}
