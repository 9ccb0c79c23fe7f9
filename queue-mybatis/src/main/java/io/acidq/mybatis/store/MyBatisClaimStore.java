package io.acidq.mybatis.store;

import io.acidq.Priority;
import io.acidq.Receipt;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.RawStatement;
import io.acidq.mybatis.session.RawStatement.Parameters;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.mybatis.session.Vendor;
import io.acidq.mybatis.store.ClaimEndings.OwnedClaims;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.FailedAttempt;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Lane;
import io.acidq.store.ReceiptStore;
import io.acidq.store.ReceiptStore.Result;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Claims messages and ends claims. The acknowledgement is the fence: it deletes a message only if the claim is still held. */
public final class MyBatisClaimStore implements ClaimStore {

    /** The number of free rows to read for their lanes before every lane is probed: reading them costs less than probing the lanes of one queue. */
    private static final int FIRST_ROWS = 64;

    private final MyBatisSessions sessions;
    private final Transactions handlerTransactions;
    private final StoreTransactions transactions;
    private final PacketLimit packet;
    private final RawStatement ackOne;
    private final RawStatement ackMany;
    private final RawStatement content;
    private final RawStatement endReceipt;

    public MyBatisClaimStore(
            MyBatisSessions sessions, Transactions handlerTransactions, StoreTransactions transactions) {
        this.sessions = sessions;
        this.handlerTransactions = handlerTransactions;
        this.transactions = transactions;
        this.packet = new PacketLimit(sessions);
        this.ackOne = statement(sessions, "ackIfClaimed");
        this.ackMany = statement(sessions, "ackAllIfClaimed");
        this.content = statement(sessions, "content");
        this.endReceipt = new RawStatement(sessions, "ackIfClaimed", ReceiptMapper.class.getName() + ".endDone");
    }

    private static RawStatement statement(MyBatisSessions sessions, String verb) {
        return new RawStatement(sessions, verb, ClaimMapper.class.getName() + '.' + verb);
    }

    @Override
    public List<Lane> lanesWithWork(Collection<Integer> queues) {
        return transactions.read("lanesWithWork", t -> {
            ClaimMapper mapper = t.mapper(ClaimMapper.class);
            List<Lane> first = mapper.firstFree(queues, FIRST_ROWS);
            return first.size() < FIRST_ROWS ? first.stream().distinct().toList() : mapper.lanesWithWork(queues);
        });
    }

    @Override
    public List<Lane> lanesWithWork(int queue, Priority priority) {
        List<Integer> lanes = MyBatisQueueStore.lanes(priority).boxed().toList();
        return transactions.read(
                "priorityLanesWithWork", t -> t.mapper(ClaimMapper.class).priorityLanesWithWork(queue, lanes));
    }

    @Override
    public Claimed claimDue(ClaimRequest request) {
        return request.strategy() == ClaimStrategy.LANES ? claimLane(request) : claimRows(request);
    }

    /** Returns no messages if other transactions lock a row or the lane for too long, as the lanes strategy does. */
    private Claimed claimRows(ClaimRequest request) {
        try {
            return transactions.claim("claimDue", t -> new RowClaim(t, request).claim());
        } catch (TransientQueueException e) {
            DatabaseError error = DatabaseError.of(e);
            if (error != DatabaseError.LOCK_TIMEOUT && error != DatabaseError.ROLLED_BACK) {
                throw e;
            }
            return Claimed.BUSY;
        }
    }

    private Claimed claimLane(ClaimRequest request) {
        try {
            return claimDue(request, false);
        } catch (TransientQueueException e) {
            if (DatabaseError.of(e) != DatabaseError.LOCK_TIMEOUT) {
                throw e;
            }
            // a new transaction, because on some servers a lock timeout has also released the lock of the lane
            return claimDue(request, true);
        }
    }

    private Claimed claimDue(ClaimRequest request, boolean locksRows) {
        return transactions.claim("claimDue", t -> new LaneClaim(t, request, locksRows).claim());
    }

    @Override
    public boolean hasOrderedMessages(int queue) {
        return transactions.runAndKeep(
                "hasOrderedMessages", t -> t.mapper(ClaimMapper.class).hasOrdered(queue) > 0);
    }

    @Override
    public @Nullable Content content(Claim claim) {
        Connection current = handlerTransactions.current();
        return current == null
                ? transactions.<@Nullable Content>read(
                        "content", t -> t.mapper(ClaimMapper.class).content(claim))
                : content.queryFirst(current, (to, name) -> bind(to, name, claim), MyBatisClaimStore::readContent);
    }

    private static Content readContent(ResultSet row) throws SQLException {
        return new Content(
                row.getBytes(1),
                Objects.requireNonNull(TypeHandlers.instant(row, 2)),
                Objects.requireNonNull(TypeHandlers.instant(row, 3)));
    }

    @Override
    public boolean ackIfClaimed(Claim claim, @Nullable Result result) {
        Connection current = handlerTransactions.requireCurrent("ackIfClaimed");
        return ack(current, claim) && endReceipt(current, claim.uid(), result);
    }

    /** Ends the receipt of a message that is done, if it has one. */
    private boolean endReceipt(Connection connection, UUID uid, @Nullable Result result) {
        if (ReceiptStore.hasReceipt(uid)) {
            endReceipt.update(connection, (to, name) -> {
                switch (name) {
                    case "type" -> to.text(result == null ? "" : result.type());
                    case "result" -> to.bytes(result == null ? null : result.bytes());
                    default -> to.bytes(TypeHandlers.bytes(uid));
                }
            });
        }
        return true;
    }

    private boolean ack(Connection connection, Claim claim) {
        return ackOne.update(connection, (to, name) -> bind(to, name, claim)) == 1;
    }

    @Override
    public int ackAllIfClaimed(List<Claim> claims, Map<UUID, Result> results) {
        Connection current = handlerTransactions.requireCurrent("ackAllIfClaimed");
        int acknowledged = ackAll(current, claims);
        if (acknowledged == claims.size()) { // otherwise the caller rolls back
            endReceipts(current, claims, results);
        }
        return acknowledged;
    }

    /** Ends the receipts of done messages in the order of their primary keys. Those without a result share a statement. */
    private void endReceipts(Connection connection, List<Claim> claims, Map<UUID, Result> results) {
        results.forEach((uid, result) -> endReceipt(connection, uid, result));
        List<UUID> others = claims.stream()
                .map(Claim::uid)
                .filter(ReceiptStore::hasReceipt)
                .filter(uid -> !results.containsKey(uid))
                .toList();
        if (!others.isEmpty()) {
            sessions.withSession(connection, "ackAllIfClaimed", s -> {
                new ReceiptEndings(s.getMapper(ReceiptMapper.class)).end(others, Receipt.State.DONE);
                return others.size();
            });
        }
    }

    private int ackAll(Connection current, List<Claim> claims) {
        if (sessions.vendor(current, "ackAllIfClaimed") == Vendor.H2) { // H2 has no JSON_TABLE
            return (int) claims.stream().filter(claim -> ack(current, claim)).count();
        }
        return ClaimEndings.chunksByLane(claims).stream()
                .mapToInt(chunk -> ackMany.update(current, (to, name) -> bind(to, name, chunk)))
                .sum();
    }

    private static void bind(Parameters to, String name, Claim claim) throws SQLException {
        switch (name) {
            case "queue" -> to.number(claim.queue());
            case "lane" -> to.number(claim.lane());
            case "id" -> to.number(claim.id());
            case "uid" -> to.bytes(TypeHandlers.bytes(claim.uid()));
            case "owner" -> to.number(claim.owner());
            case "claimNo" -> to.number(claim.claimNo());
            default -> throw new IllegalArgumentException("unknown parameter of a claim: " + name);
        }
    }

    private static void bind(Parameters to, String name, List<Claim> ofOneLane) throws SQLException {
        if (name.equals("claims")) {
            to.text(json(ofOneLane));
        } else {
            bind(to, name, ofOneLane.get(0));
        }
    }

    /** Needs no escapes, because the values are numbers and hexadecimal digits. */
    static String json(List<Claim> claims) {
        return claims.stream()
                .map(c -> "[" + c.id() + ",\"" + c.uid().toString().replace("-", "") + "\"," + c.owner() + ","
                        + c.claimNo() + "]")
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Override
    public boolean archiveIfClaimed(Claim claim, Duration retention, @Nullable Result result) {
        long micros = Microseconds.of(retention);
        Connection current = handlerTransactions.requireCurrent("archiveIfClaimed");
        return sessions.withSession(
                        current,
                        "archiveIfClaimed",
                        s -> s.getMapper(ClaimMapper.class).copyIfClaimed(claim, micros) == 1)
                && ack(current, claim)
                && endReceipt(current, claim.uid(), result);
    }

    @Override
    public boolean isHeld(Claim claim) {
        return transactions.read("isHeld", t -> t.mapper(ClaimMapper.class).isHeld(claim) != null);
    }

    @Override
    public boolean retryIfClaimed(
            ClaimedMessage message, Duration delay, Collection<Claim> followers, @Nullable FailedAttempt attempt) {
        return retryOrSnooze("retryIfClaimed", message, delay, followers, 0, attempt);
    }

    @Override
    public boolean snoozeIfClaimed(ClaimedMessage message, Duration delay, Collection<Claim> followers) {
        return retryOrSnooze("snoozeIfClaimed", message, delay, followers, 1, null);
    }

    private boolean retryOrSnooze(
            String verb,
            ClaimedMessage message,
            Duration delay,
            Collection<Claim> followers,
            int uncounted,
            @Nullable FailedAttempt attempt) {
        long micros = Microseconds.of(delay);
        boolean inPlace = message.orderingKey() != null || micros == 0;
        return transactions.runAndKeep(verb, t -> {
            ClaimEndings ends = new ClaimEndings(t);
            boolean won = inPlace
                    ? ends.retryInPlace(message.claim(), micros, uncounted)
                    : ends.schedule(message.claim(), micros, uncounted);
            if (!won || ends.isCancelRequested(message.claim())) {
                t.setRollbackOnly();
                return false;
            }
            ends.requeue(followers, 0);
            ends.record(message.claim(), attempt, micros);
            return true;
        });
    }

    @Override
    public boolean cancelIfClaimed(Claim claim, Receipt.State state) {
        return transactions.runAndKeep("cancelIfClaimed", t -> new ClaimEndings(t).delete(claim, state));
    }

    @Override
    public boolean cancelAllIfClaimed(List<Claim> claims, Receipt.State state) {
        return transactions.runAndKeep("cancelAllIfClaimed", t -> {
            boolean isH2 = sessions.vendor(t.connection(), "cancelAllIfClaimed") == Vendor.H2; // H2 has no JSON_TABLE
            boolean all = new ClaimEndings(t).deleteAll(claims, state, !isH2);
            if (!all) {
                t.setRollbackOnly();
            }
            return all;
        });
    }

    @Override
    public boolean deadLetterAllIfClaimed(Map<Claim, String> errors, Collection<Claim> followers) {
        return transactions.runAndKeep("deadLetterAllIfClaimed", t -> {
            ClaimEndings ends = new ClaimEndings(t);
            boolean all = errors.keySet().stream()
                            .sorted(ClaimEndings.BY_PRIMARY_KEY)
                            .allMatch(claim -> ends.deadLetter(
                                    claim, ErrorText.of(Objects.requireNonNull(errors.get(claim)), packet.maxChars())))
                    && ends.cancelRequested(errors.keySet()).isEmpty();
            if (!all) {
                t.setRollbackOnly();
                return false;
            }
            ends.requeue(followers, 0);
            return true;
        });
    }

    @Override
    public boolean cancelIfRequested(Claim claim) {
        return transactions.runAndKeep("cancelIfRequested", t -> {
            ClaimEndings ends = new ClaimEndings(t);
            boolean cancelled = ends.delete(claim, Receipt.State.CANCELLED) && ends.isCancelRequested(claim);
            if (!cancelled) {
                t.setRollbackOnly();
            }
            return cancelled;
        });
    }

    @Override
    public boolean deadLetterIfClaimed(
            Claim claim, String error, Collection<Claim> followers, @Nullable FailedAttempt attempt) {
        return transactions.runAndKeep("deadLetterIfClaimed", t -> {
            ClaimEndings ends = new ClaimEndings(t);
            if (!ends.deadLetter(claim, ErrorText.of(error, packet.maxChars())) || ends.isCancelRequested(claim)) {
                t.setRollbackOnly();
                return false;
            }
            ends.requeue(followers, 0);
            ends.record(claim, attempt, null);
            return true;
        });
    }

    @Override
    public int requeueIfClaimed(Collection<Claim> claims, Duration delay) {
        return transactions.runAndKeep(
                "requeueIfClaimed", t -> new ClaimEndings(t).requeue(claims, Microseconds.of(delay)));
    }

    @Override
    public List<HeldClaim> claimedBy(int owner) {
        return transactions.readInTurn(
                "claimedBy",
                t -> new OwnedClaims(t.mapper(NodeMapper.class))
                        .claimsOf(owner).stream()
                                .map(r -> new HeldClaim(r.claim(), r.batch()))
                                .toList());
    }
}
