package io.acidq.engine.listener;

import io.acidq.Priority;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.Content;
import io.acidq.store.ClaimedMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message in a table of the simulated store. */
final class SimulatedRow {

    static final int QUEUE = 1;

    final UUID uid;
    final int lane;
    final @Nullable String orderingKey;
    final int seq;
    long id;
    int owner;
    int claimNo;
    int attempts;
    int crashes;
    long batch;
    long dueAt;
    final long enqueuedAt;

    /** The open transaction that has deleted the row. */
    @Nullable
    Object lock;

    SimulatedRow(UUID uid, int lane, @Nullable String orderingKey, int seq, long now) {
        this.uid = uid;
        this.lane = lane;
        this.orderingKey = orderingKey;
        this.seq = seq;
        this.enqueuedAt = now;
        this.dueAt = now;
    }

    /** A message that node 1 has claimed, whose payload and unique number are its id. */
    static ClaimedMessage message(long batch, long id, @Nullable String orderingKey, int crashes) {
        return message(0, batch, id, orderingKey, crashes);
    }

    /** As {@link #message(long, long, String, int)}, in the first lane of this priority. */
    static ClaimedMessage message(Priority priority, long batch, long id, int crashes) {
        return message(priority.firstLane(), batch, id, null, crashes);
    }

    private static ClaimedMessage message(int lane, long batch, long id, @Nullable String orderingKey, int crashes) {
        SimulatedRow row = new SimulatedRow(new UUID(0, id), lane, orderingKey, (int) id, 0);
        row.id = id;
        row.crashes = crashes;
        row.claim(1, batch);
        return row.claimed(0);
    }

    boolean isSuspect() {
        return crashes > 0;
    }

    Claim claim() {
        return new Claim(QUEUE, lane, id, uid, owner, claimNo);
    }

    void claim(int by, long inBatch) {
        owner = by;
        batch = inBatch;
        claimNo++;
        attempts++;
    }

    void free(int uncounted, long due) {
        owner = 0;
        attempts -= uncounted;
        dueAt = due;
    }

    ClaimedMessage claimed(long now) {
        return new ClaimedMessage(
                claim(),
                batch,
                uid,
                null,
                orderingKey,
                "type",
                "",
                content().payload(),
                attempts,
                crashes,
                at(enqueuedAt),
                at(dueAt),
                Duration.ofNanos(now - enqueuedAt),
                null,
                dueAt);
    }

    Content content() {
        return new Content(content(seq, enqueuedAt).payload(), at(enqueuedAt), at(dueAt));
    }

    static Content content(int seq, long since) {
        return new Content(ByteBuffer.allocate(4).putInt(seq).array(), at(since), at(since));
    }

    static Instant at(long nanos) {
        return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public String toString() {
        return orderingKey + "/" + seq + " id " + id + " owner " + owner + " claim " + claimNo + " attempts " + attempts
                + " crashes " + crashes + (lock == null ? "" : " locked");
    }
}
