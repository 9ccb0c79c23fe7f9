package io.acidq.dashboard.access;

import org.jspecify.annotations.Nullable;

/**
 * Narrows what users may do, by database and queue. It is asked after the permissions of the user, for each request and for each queue in an answer. A queue
 * for which it refuses {@link Permission#VIEW} is in no list, sum or audit entry. Implementations are thread-safe and fast: they are called for each row.
 */
@FunctionalInterface
public interface AccessPolicy {

    /** Permits each user what the user's level permits. */
    AccessPolicy BY_LEVEL = (user, permission, engine, queue) -> true;

    /**
     * Whether a user may do something.
     *
     * @param user       a user who has the permission
     * @param permission the permission
     * @param engine     the name of the engine
     * @param queue      the queue; null for what belongs to no queue, and for lists, whose queues are asked for one by one
     */
    boolean permits(User user, Permission permission, String engine, @Nullable String queue);
}
