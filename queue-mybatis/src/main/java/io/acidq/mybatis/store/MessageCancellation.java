package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.Receipt;
import io.acidq.TransientQueueException;
import io.acidq.admin.MessageTable;
import io.acidq.admin.Operator;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.CancelMapper.Found;
import io.acidq.mybatis.store.CancelMapper.Request;
import io.acidq.store.QueueStore.Cancellation;
import io.acidq.store.QueueStore.QueueRow;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Cancels messages for operators. A message that waits is deleted where it lies; for a claimed one a cancel is requested. Each try is one short transaction that locks
 * the row before it decides, so that its answer is true when it commits. A message that has moved in between is searched for again.
 */
final class MessageCancellation {

    /** A message can move between the search and the lock, but not repeatedly. */
    private static final int MAX_TRIES = 10;

    private static final int MAX_REQUESTS = 10_000;

    private final StoreTransactions transactions;

    MessageCancellation(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    Cancellation cancel(QueueRow queue, MessageId id, Operator operator) {
        for (int i = 0; i < MAX_TRIES; i++) {
            Cancellation result = transactions.<@Nullable Cancellation>runAndRelease(
                    "cancel", t -> new CancelTry(t, queue.id(), id).run(operator));
            if (result != null) {
                return result;
            }
        }
        throw new TransientQueueException(
                "message " + id + " has moved between tables " + MAX_TRIES + " times in a row; try again",
                new SQLException("no stable place"));
    }

    /** Returns the requests whose messages still exist, and deletes the others. */
    Set<UUID> requests() {
        return transactions.runInTurn("cancelRequests", t -> {
            CancelMapper mapper = t.mapper(CancelMapper.class);
            Set<UUID> living = new HashSet<>();
            List<Request> requests = mapper.requests(MAX_REQUESTS);
            for (Request request : requests) {
                if (request.living() > 0) {
                    living.add(request.uid());
                } else {
                    mapper.deleteRequest(request.uid());
                }
            }
            return living;
        });
    }

    /** Deletes a scheduled message. Its key stays taken, and no longer says when the message is due, unless a caller has locked the key. */
    static boolean deleteScheduled(CancelMapper mapper, int queue, Found found, UUID uid) {
        if (mapper.deleteScheduled(found, uid) == 0) {
            return false;
        }
        leaveScheduled(mapper, queue, found, uid);
        return true;
    }

    /** Lets the key of a deleted scheduled message no longer say when it is due, unless a caller has locked the key. */
    static void leaveScheduled(CancelMapper mapper, int queue, Found found, UUID uid) {
        if (found.key() != null && mapper.lockFreeKey(queue, found, uid) != null) {
            mapper.leaveScheduled(queue, found, uid);
        }
    }

    /** Deletes a parked message of a locked lane. If it was the first of its key, the marker moves to the next one. */
    static boolean deleteParked(CancelMapper mapper, ClaimMapper claims, int queue, int lane, Found found, UUID uid) {
        Long first = claims.firstParked(queue, found.orderingKey());
        if (mapper.deleteParked(queue, found, uid) == 0) {
            return false;
        }
        if (first != null && first == found.id()) {
            claims.deleteMarker(queue, lane, first);
            Long next = claims.firstParked(queue, found.orderingKey());
            if (next != null) {
                claims.insertMarker(queue, found.orderingKey(), next);
            }
        }
        return true;
    }

    /** One search and one change, in one transaction. */
    private static final class CancelTry {

        private final StoreTransaction transaction;
        private final CancelMapper mapper;
        private final int queue;
        private final int lane;
        private final UUID uid;

        CancelTry(StoreTransaction transaction, int queue, MessageId id) {
            this.transaction = transaction;
            this.mapper = transaction.mapper(CancelMapper.class);
            this.queue = queue;
            this.lane = id.lane();
            this.uid = id.uid();
        }

        /** Returns null if the message was no longer where it had been found. */
        @Nullable
        Cancellation run(Operator operator) {
            Found found = mapper.find(queue, lane, uid);
            if (found == null) {
                return Cancellation.GONE;
            }
            if (found.inTable() == MessageTable.DEAD) {
                return Cancellation.DEAD;
            }
            Cancellation result = switch (found.inTable()) {
                case LANE -> inLane(found.id());
                case PARKED -> parked(found) ? Cancellation.CANCELLED : null;
                default -> scheduled(found) ? Cancellation.CANCELLED : null;
            };
            if (result == null) {
                transaction.setRollbackOnly();
            } else {
                if (result == Cancellation.CANCELLED) {
                    new ReceiptEndings(transaction.mapper(ReceiptMapper.class))
                            .end(List.of(uid), Receipt.State.CANCELLED);
                }
                String detail = result == Cancellation.REQUESTED
                        ? "it was claimed: cancel requested"
                        : "it waited: " + found.inTable().name().toLowerCase(Locale.ROOT);
                mapper.insertAudit(queue, lane, uid, operator.actor(), operator.reason(), detail);
            }
            return result;
        }

        private boolean scheduled(Found found) {
            return deleteScheduled(mapper, queue, found, uid);
        }

        private @Nullable Cancellation inLane(long id) {
            Integer owner = mapper.lockOwner(queue, lane, id, uid);
            if (owner == null) {
                return null;
            }
            if (owner == 0) {
                return mapper.deleteFree(queue, lane, id, uid) == 1 ? Cancellation.CANCELLED : null;
            }
            mapper.request(queue, lane, id, uid);
            return Cancellation.REQUESTED;
        }

        private boolean parked(Found found) {
            if (mapper.lockLane(queue, lane) == null) {
                return false;
            }
            return deleteParked(mapper, transaction.mapper(ClaimMapper.class), queue, lane, found, uid);
        }
    }
}
