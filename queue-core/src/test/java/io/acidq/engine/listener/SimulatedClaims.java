package io.acidq.engine.listener;

import io.acidq.Priority;
import io.acidq.Receipt;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Lane;
import io.acidq.store.ReceiptStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Claims and their ends in the simulated store. Each call is atomic; the mappers have the SQL that does the same. */
final class SimulatedClaims implements ClaimStore {

    private static final int BUSY_OF_HUNDRED = 3;
    private static final int LONGEST_WAIT_MILLIS = 10;

    private final SimulatedTables tables;
    private final SimulatedTransactions transactions;

    SimulatedClaims(SimulatedTables tables, SimulatedTransactions transactions) {
        this.tables = tables;
        this.transactions = transactions;
    }

    /**
     * Returns a single lane: the poller shuffles several with its own random, so that the seed would not determine the
     * schedule.
     */
    @Override
    public List<Lane> lanesWithWork(Collection<Integer> queues) {
        List<Integer> lanes = tables.hot.values().stream()
                .filter(r -> r.owner == 0)
                .map(r -> r.lane)
                .distinct()
                .toList();
        return lanes.isEmpty()
                ? List.of()
                : List.of(new Lane(SimulatedRow.QUEUE, lanes.get(tables.random.nextInt(lanes.size()))));
    }

    @Override
    public List<Lane> lanesWithWork(int queue, Priority priority) {
        throw new UnsupportedOperationException("all messages are NORMAL");
    }

    @Override
    public Claimed claimDue(ClaimRequest request) {
        if (tables.random.nextInt(100) < BUSY_OF_HUNDRED) {
            return Claimed.BUSY;
        }
        List<SimulatedRow> rows = tables.ofLane(request.lane());
        List<SimulatedRow> taken = new ArrayList<>();
        Set<String> closed = new HashSet<>();
        rows.stream().filter(r -> r.owner != 0).forEach(r -> closed.add(r.orderingKey));
        Map<String, Integer> perKey = new HashMap<>();
        Long nextDue = null;
        for (SimulatedRow row : rows) {
            if (taken.size() == request.budget().messages()
                    || (!taken.isEmpty() && taken.get(0).isSuspect())) {
                break;
            }
            long dueIn = row.dueAt - tables.now.getAsLong();
            nextDue =
                    row.owner == 0 && dueIn > 0 && (nextDue == null || dueIn < nextDue) ? Long.valueOf(dueIn) : nextDue;
            boolean open = row.owner == 0 && dueIn <= 0 && !isClosed(closed, row);
            if (open && (!row.isSuspect() || (request.budget().allowsSuspects() && taken.isEmpty()))) {
                taken.add(row);
                if (row.orderingKey != null
                        && perKey.merge(row.orderingKey, 1, Integer::sum)
                                == request.budget().perKey()) {
                    closed.add(row.orderingKey);
                }
            } else {
                closed.add(row.orderingKey);
            }
        }
        mark(taken, request);
        List<ClaimedMessage> messages =
                taken.stream().map(r -> r.claimed(tables.now.getAsLong())).toList();
        boolean leftover = rows.stream().anyMatch(r -> r.owner == 0);
        return new Claimed(messages, leftover, nextDue == null ? null : Duration.ofNanos(nextDue), false);
    }

    private void mark(List<SimulatedRow> taken, ClaimRequest request) {
        if (tables.storeFlaw == StoreFlaw.CLAIM_WITHOUT_LOCK) {
            tables.meanwhile.run();
        }
        for (SimulatedRow row : taken) {
            row.claim(request.owner(), request.batch());
            tables.simulationAuditor.note(row, "is claimed");
            tables.lastClaimed.merge(row.lane, row.id, Math::max);
        }
    }

    private boolean isClosed(Set<String> closed, SimulatedRow row) {
        return row.orderingKey != null
                && tables.storeFlaw != StoreFlaw.CLAIM_BLIND_TO_KEYS
                && closed.contains(row.orderingKey);
    }

    @Override
    public boolean ackIfClaimed(Claim claim, ReceiptStore.@Nullable Result result) {
        if (tables.storeFlaw == StoreFlaw.ACK_WITHOUT_FENCE) {
            SimulatedRow any = tables.hot.get(claim.id());
            if (any != null) {
                transactions.delete(any);
            }
            return true;
        }
        SimulatedRow row = tables.held(claim);
        if (row != null) {
            transactions.delete(row);
        }
        return row != null;
    }

    @Override
    public int ackAllIfClaimed(List<Claim> done, Map<UUID, ReceiptStore.Result> results) {
        return (int) done.stream().filter(this::ackIfClaimed).count();
    }

    @Override
    public boolean isHeld(Claim claim) {
        SimulatedRow row = tables.hot.get(claim.id());
        return row != null && row.claim().equals(claim);
    }

    @Override
    public boolean retryIfClaimed(
            ClaimedMessage message, Duration delay, Collection<Claim> followers, FailedAttempt attempt) {
        return again(message, delay, followers, 0);
    }

    @Override
    public boolean snoozeIfClaimed(ClaimedMessage message, Duration delay, Collection<Claim> followers) {
        return again(message, delay, followers, 1);
    }

    private boolean again(ClaimedMessage message, Duration delay, Collection<Claim> followers, int uncounted) {
        SimulatedRow row = tables.held(message.claim());
        if (row == null) {
            return false;
        }
        row.free(uncounted, tables.now.getAsLong() + delay.toNanos());
        tables.simulationAuditor.again(row, uncounted == 0);
        if (row.orderingKey == null && !delay.isZero()) {
            tables.hot.remove(row.id);
            tables.scheduled.add(row);
        }
        requeueIfClaimed(followers, Duration.ZERO);
        return true;
    }

    @Override
    public boolean cancelIfRequested(Claim claim) {
        return false;
    }

    @Override
    public boolean cancelIfClaimed(Claim claim, Receipt.State state) {
        SimulatedRow row = tables.held(claim);
        if (row != null) {
            tables.hot.remove(row.id);
            tables.simulationAuditor.cancelled(row);
        }
        return row != null;
    }

    @Override
    public boolean cancelAllIfClaimed(List<Claim> claims, Receipt.State state) {
        boolean all = claims.stream().allMatch(claim -> tables.held(claim) != null);
        return all && claims.stream().allMatch(claim -> cancelIfClaimed(claim, state));
    }

    @Override
    public boolean deadLetterAllIfClaimed(Map<Claim, String> lastErrors, Collection<Claim> followers) {
        boolean all = lastErrors.keySet().stream().allMatch(claim -> tables.held(claim) != null);
        if (all) {
            lastErrors.forEach((claim, error) -> deadLetterIfClaimed(claim, error, List.of()));
            requeueIfClaimed(followers, Duration.ZERO);
        }
        return all;
    }

    @Override
    public boolean deadLetterIfClaimed(
            Claim claim, String lastError, Collection<Claim> followers, FailedAttempt attempt) {
        SimulatedRow row = tables.held(claim);
        if (row != null) {
            tables.toDead(row, lastError);
            requeueIfClaimed(followers, Duration.ZERO);
        }
        return row != null;
    }

    /** Chooses the delay by the seed, since the engine uses its own random. */
    @Override
    public int requeueIfClaimed(Collection<Claim> claims, Duration delay) {
        int requeued = 0;
        for (Claim claim : claims) {
            SimulatedRow row = tables.heldAndUnlocked(claim);
            if (row != null) {
                long wait = delay.isZero() ? 0 : (1 + tables.random.nextInt(LONGEST_WAIT_MILLIS)) * 1_000_000L;
                row.free(1, delay.isZero() ? row.dueAt : tables.now.getAsLong() + wait);
                tables.simulationAuditor.note(row, "is requeued");
                requeued++;
            }
        }
        return requeued;
    }

    @Override
    public List<HeldClaim> claimedBy(int owner) {
        return tables.hot.values().stream()
                .filter(r -> r.owner == owner)
                .map(r -> new HeldClaim(r.claim(), r.batch))
                .toList();
    }

    @Override
    public @Nullable Content content(Claim claim) {
        SimulatedRow row = tables.hot.get(claim.id());
        if (tables.storeFlaw == StoreFlaw.RUN_UNREAD) {
            return SimulatedRow.content(0, tables.now.getAsLong());
        }
        return row != null && row.claim().equals(claim) ? row.content() : null;
    }

    @Override
    public boolean archiveIfClaimed(Claim claim, Duration retention, ReceiptStore.@Nullable Result result) {
        throw new UnsupportedOperationException("nothing is archived");
    }

    @Override
    public boolean hasOrderedMessages(int queue) {
        return true;
    }
}
