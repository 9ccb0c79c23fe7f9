package io.acidq.store;

import io.acidq.Priority;
import io.acidq.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Claims of messages and the outcomes of their runs. A message that an operator has asked to cancel is not freed: {@link #retryIfClaimed},
 * {@link #snoozeIfClaimed} and {@link #deadLetterIfClaimed} return false and change nothing, and {@link #requeueIfClaimed} removes it.
 * {@link #ackIfClaimed}, {@link #ackAllIfClaimed} and {@link #archiveIfClaimed} join the handler's transaction on the calling thread; each other
 * method is a short transaction of its own, at READ COMMITTED, on a separate connection.
 */
public interface ClaimStore {

    /** Larger payloads, in bytes, are not returned by a claim; see {@link #content}. */
    int INLINE_BYTES = 8 * 1024;

    /** The lanes of these queues that hold unclaimed rows, due or not. A plain read that locks nothing. */
    List<Lane> lanesWithWork(Collection<Integer> queues);

    /**
     * Finds the lanes with work among those of HIGH or LOW of one queue, as {@link #lanesWithWork(Collection)} does. Reads nothing of its other
     * lanes.
     */
    List<Lane> lanesWithWork(int queue, Priority priority);

    /**
     * Claims due messages. {@link ClaimStrategy#LANES} claims in order at the head of a lane, and never lets two owners have messages of one ordering
     * key; other strategies claim messages without ordering keys only. When this method returns, owner, claim number + 1 and attempts + 1 are
     * committed. When it throws, the outcome is unknown until {@link #claimedBy} has been read.
     */
    Claimed claimDue(ClaimRequest request);

    /** Whether messages with an ordering key are among the first thousand of a queue. A plain read. */
    boolean hasOrderedMessages(int queue);

    /** The content that the claim did not return; null when the claim is no longer held. In the transaction on the calling thread if there is one. */
    @Nullable
    Content content(Claim claim);

    /** Acknowledges without a result: see {@link #ackIfClaimed(Claim, ReceiptStore.Result)}. */
    default boolean ackIfClaimed(Claim claim) {
        return ackIfClaimed(claim, null);
    }

    /**
     * Deletes the message if this claim is still held: the fence. If the message has a receipt, ends it. Joins the transaction on the calling thread.
     *
     * @param result the result for the receipt; null for none
     */
    boolean ackIfClaimed(Claim claim, ReceiptStore.@Nullable Result result);

    /** Acknowledges several without results: see {@link #ackAllIfClaimed(List, Map)}. */
    default int ackAllIfClaimed(List<Claim> claims) {
        return ackAllIfClaimed(claims, Map.of());
    }

    /**
     * Acknowledges several as {@link #ackIfClaimed} does. Returns how many claims were still held. The caller rolls back if it is less than all.
     *
     * @param results the results of those that have one, by the unique numbers of their messages
     */
    int ackAllIfClaimed(List<Claim> claims, Map<UUID, ReceiptStore.Result> results);

    /** Acknowledges and archives without a result: see {@link #archiveIfClaimed(Claim, Duration, ReceiptStore.Result)}. */
    default boolean archiveIfClaimed(Claim claim, Duration retention) {
        return archiveIfClaimed(claim, retention, null);
    }

    /** Acknowledges as {@link #ackIfClaimed(Claim, ReceiptStore.Result)} does, and keeps a copy in the archive for this long. */
    boolean archiveIfClaimed(Claim claim, Duration retention, ReceiptStore.@Nullable Result result);

    /** Whether the claim is still held, by a plain read. */
    boolean isHeld(Claim claim);

    /**
     * Lets the message run again after the delay, its attempt counted. With an ordering key it keeps its place, and the
     * followers, claimed by the same node and never started, are requeued in the same transaction.
     */
    default boolean retryIfClaimed(ClaimedMessage message, Duration delay, Collection<Claim> followers) {
        return retryIfClaimed(message, delay, followers, null);
    }

    /**
     * Records a retry as {@link #retryIfClaimed(ClaimedMessage, Duration, Collection)} does, and the failed attempt with it.
     *
     * @param attempt is recorded in the same transaction; null to record nothing
     */
    boolean retryIfClaimed(
            ClaimedMessage message, Duration delay, Collection<Claim> followers, @Nullable FailedAttempt attempt);

    /** Records a snooze: as {@link #retryIfClaimed}, but the attempt of this claim does not count. */
    boolean snoozeIfClaimed(ClaimedMessage message, Duration delay, Collection<Claim> followers);

    /** Removes a claimed message as cancelled: {@link #cancelIfClaimed(Claim, Receipt.State)} with {@link Receipt.State#CANCELLED}. */
    default boolean cancelIfClaimed(Claim claim) {
        return cancelIfClaimed(claim, Receipt.State.CANCELLED);
    }

    /**
     * Removes the message without a dead letter.
     *
     * @param state what its receipt says
     */
    boolean cancelIfClaimed(Claim claim, Receipt.State state);

    /**
     * Removes several claimed messages as {@link #cancelIfClaimed(Claim, Receipt.State)} does. Returns false and changes nothing if one of the claims
     * was lost.
     */
    boolean cancelAllIfClaimed(List<Claim> claims, Receipt.State state);

    /** Removes a claimed message as {@link #cancelIfClaimed(Claim)} does, if an operator has requested its cancel; returns false otherwise. */
    boolean cancelIfRequested(Claim claim);

    /**
     * Makes the message a dead letter with this last error. With an ordering key, a marker takes its place if the {@link io.acidq.DeadHeadPolicy} of
     * the queue requires it; the followers, claimed by the same node and never started, are requeued in the same transaction in any case.
     */
    default boolean deadLetterIfClaimed(Claim claim, String lastError, Collection<Claim> followers) {
        return deadLetterIfClaimed(claim, lastError, followers, null);
    }

    /**
     * Dead-letters as {@link #deadLetterIfClaimed(Claim, String, Collection)} does, and records the failed attempt with it.
     *
     * @param attempt is recorded in the same transaction; null to record nothing
     */
    boolean deadLetterIfClaimed(
            Claim claim, String lastError, Collection<Claim> followers, @Nullable FailedAttempt attempt);

    /**
     * Dead-letters several messages, no two of one ordering key: see {@link #deadLetterIfClaimed}. Returns false and changes nothing if one of the
     * claims was lost, or if an operator has asked to cancel one of the messages.
     *
     * @param lastErrors the last error of each
     */
    boolean deadLetterAllIfClaimed(Map<Claim, String> lastErrors, Collection<Claim> followers);

    /**
     * Requeues messages without counting their attempts, due again after the delay.
     *
     * @return how many of the claims were still held
     */
    int requeueIfClaimed(Collection<Claim> claims, Duration delay);

    /** All claims that a node holds in the database. */
    List<HeldClaim> claimedBy(int owner);

    /**
     * An attempt that has failed, for the record of the message.
     *
     * @param took  how long it took
     * @param error its error; a long one loses its middle
     */
    record FailedAttempt(Duration took, String error) {}

    /**
     * The parameters of one claim transaction.
     *
     * @param queue    the queue's number
     * @param lane     the lane
     * @param owner    the claiming node
     * @param batch    the node's running number of this claim transaction
     * @param budget   how much
     * @param strategy how to claim
     * @param claimNanos the monotonic clock of this process just before the claim
     */
    record ClaimRequest(
            int queue, int lane, int owner, long batch, Budget budget, ClaimStrategy strategy, long claimNanos) {

        /** A claim now. */
        public ClaimRequest(int queue, int lane, int owner, long batch, Budget budget, ClaimStrategy strategy) {
            this(queue, lane, owner, batch, budget, strategy, System.nanoTime());
        }
    }

    /**
     * The limits of one claim.
     *
     * @param messages at most this many
     * @param perKey   at most this many of one ordering key
     * @param allowsSuspects whether a message with crashes may be claimed; such a message is claimed alone
     */
    record Budget(int messages, int perKey, boolean allowsSuspects) {}

    /**
     * The result of a claim.
     *
     * @param messages the claimed messages in order
     * @param leftover whether unclaimed rows may remain: not due, behind their ordering key, suspects, or
     *                 beyond the limit
     * @param nextDue  how long until the first waiting row seen is due, or null
     * @param busy     whether another claim held the lane, so that no row was read
     * @param skippedOrdered  whether messages with an ordering key were skipped because the strategy does not claim them
     */
    record Claimed(
            List<ClaimedMessage> messages,
            boolean leftover,
            @Nullable Duration nextDue,
            boolean busy,
            boolean skippedOrdered) {

        public Claimed(List<ClaimedMessage> messages, boolean leftover, @Nullable Duration nextDue, boolean busy) {
            this(messages, leftover, nextDue, busy, false);
        }

        public static final Claimed BUSY = new Claimed(List.of(), true, null, true);
    }

    /**
     * The content of a claimed message.
     *
     * @param payload    its payload
     * @param enqueuedAt when it was enqueued, by the database's clock
     * @param dueAt      when it was due, by the database's clock
     */
    record Content(byte[] payload, Instant enqueuedAt, Instant dueAt) {}

    /**
     * A claim in the database.
     *
     * @param claim the claim
     * @param batch the running number of the claim transaction that made it
     */
    record HeldClaim(Claim claim, long batch) {}
}
