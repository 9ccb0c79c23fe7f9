package io.acidq.engine.work;

import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How what is done leaves its queue: fenced, in the handler's transaction on the calling thread, and with a copy where the queue keeps one. */
final class Acks {

    private final ClaimStore claims;
    private final @Nullable Duration keep;

    /**
     * Of one queue.
     *
     * @param keep how long a copy stays in the archive; null when there is none
     */
    Acks(ClaimStore claims, @Nullable Duration keep) {
        this.claims = claims;
        this.keep = keep;
    }

    /** False when the claim was lost. */
    boolean one(Claim claim) {
        return keep == null ? claims.ackIfClaimed(claim) : claims.archiveIfClaimed(claim, keep);
    }

    /** False when one of the claims was lost: nothing that was done in the transaction may be committed then. */
    boolean all(List<Claim> done) {
        return keep == null
                ? claims.ackAllIfClaimed(done) == done.size()
                : done.stream().allMatch(this::one);
    }
}
