package io.acidq.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims and their ends. {@link #ackIfClaimed}, {@link #ackAllIfClaimed} and {@link #archiveIfClaimed} join the handler's transaction on the calling thread; every other method
 * is a short transaction of its own, at READ COMMITTED, on a connection of its own.
 */
public interface ClaimStore {

    /** Payloads above this many bytes do not travel with the claim. */
    int INLINE_BYTES = 8 * 1024;

    /** The lanes of these queues that hold unclaimed rows, due or not. A plain read that locks nothing. */
    List<Lane> lanesWithWork(Collection<Integer> queues);

    /**
     * Claims due messages at the head of a lane, in order, never two owners for one ordering key ({@link ClaimStrategy#LANES}), or, by another
     * strategy, without ordering keys: owner, claim number + 1
     * and attempts + 1 are committed when this returns. When it throws, the outcome is unknown until
     * {@link #claimedBy} has been looked at.
     */
    Claimed claimDue(ClaimRequest request);

    /** Whether messages with an ordering key are among the first thousand of a queue. A plain read. */
    boolean holdsOrdered(int queue);

    /** What did not travel with a claim; null when the claim is no longer held. In the transaction on the calling thread if there is one. */
    @Nullable
    Content content(Claim claim);

    /** Deletes the message if it is still claimed so: the fence. Joins the transaction on the calling thread. */
    boolean ackIfClaimed(Claim claim);

    /** As {@link #ackIfClaimed} for many, and says how many still were: less than all, and the transaction is to be rolled back. */
    int ackAllIfClaimed(List<Claim> claims);

    /** As {@link #ackIfClaimed}, and keeps a copy for this long. */
    boolean archiveIfClaimed(Claim claim, Duration keep);

    /** Whether the message is still claimed so, by a plain read. */
    boolean isHeld(Claim claim);

    /**
     * Lets the message run again after the delay, its attempt counted. With an ordering key it keeps its place, and the
     * followers, claimed by the same node and never started, are given back in the same transaction.
     */
    boolean retryIfClaimed(ClaimedMessage message, Duration delay, Collection<Claim> followers);

    /** As {@link #retryIfClaimed}, but the attempt of this claim does not count. */
    boolean snoozeIfClaimed(ClaimedMessage message, Duration delay, Collection<Claim> followers);

    /** Lets the message leave without a dead letter. */
    boolean cancelIfClaimed(Claim claim);

    /**
     * Makes the message a dead letter with this cause. With an ordering key, a marker takes its place if the queue says so; the followers,
     * claimed by the same node and never started, are given back in the same transaction in any case.
     */
    boolean deadIfClaimed(Claim claim, String mark, Collection<Claim> followers);

    /**
     * Frees messages with their attempts given back, due again after the delay.
     *
     * @return how many of them were still claimed so
     */
    int requeueIfClaimed(Collection<Claim> claims, Duration delay);

    /** Everything that a node has claimed, by the database's word. */
    List<HeldClaim> claimedBy(int owner);

    /**
     * What to claim.
     *
     * @param queue    the queue's number
     * @param lane     the lane
     * @param owner    the claiming node
     * @param batch    the node's running number of this claim transaction
     * @param budget   how much
     * @param strategy in which way
     */
    record ClaimRequest(int queue, int lane, int owner, long batch, Budget budget, ClaimStrategy strategy) {}

    /**
     * How much one claim may take.
     *
     * @param messages at most this many
     * @param perKey   at most this many of one ordering key
     * @param suspects whether a message with crashes may be claimed; it then comes alone
     */
    record Budget(int messages, int perKey, boolean suspects) {}

    /**
     * What a claim brought.
     *
     * @param messages the claimed messages in order
     * @param leftover whether rows may have stayed behind that nobody has claimed: not due, behind their ordering key, suspects, or
     *                 beyond the limit
     * @param nextDue  how long until the first waiting row seen is due, or null
     * @param busy     whether another claimer held the lane, so that nothing was looked at
     * @param ordered  whether messages with an ordering key were left alone because the strategy takes none
     */
    record Claimed(
            List<ClaimedMessage> messages,
            boolean leftover,
            @Nullable Duration nextDue,
            boolean busy,
            boolean ordered) {

        public Claimed(List<ClaimedMessage> messages, boolean leftover, @Nullable Duration nextDue, boolean busy) {
            this(messages, leftover, nextDue, busy, false);
        }

        public static final Claimed BUSY = new Claimed(List.of(), true, null, true);
    }

    /**
     * What a claimed message holds.
     *
     * @param payload    its payload
     * @param enqueuedAt when it was enqueued, by the database's clock
     * @param dueAt      when it was due, by the database's clock
     */
    record Content(byte[] payload, Instant enqueuedAt, Instant dueAt) {}

    /**
     * A claim as it stands in the database.
     *
     * @param claim the claim
     * @param batch the running number of the claim transaction that made it
     */
    record HeldClaim(Claim claim, long batch) {}
}
