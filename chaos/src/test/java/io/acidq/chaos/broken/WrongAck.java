package io.acidq.chaos.broken;

import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;

/** Acknowledgements that are no fence, or come too late. */
final class WrongAck {

    private static final String BY_ID = "DELETE FROM acidq_message WHERE queue = ? AND lane = ? AND id = ?";
    private static final String BY_NUMBER = BY_ID + " AND claim_no = ?";
    private static final String BY_ALL = BY_NUMBER + " AND owner = ?";
    private static final String COUNT =
            "UPDATE acidq_message SET attempts = attempts + ? WHERE queue = ? AND lane = ? AND id = ? AND claim_no = ?";

    private WrongAck() {}

    static Store byIdAlone(Store store, DataSource dataSource) {
        return acking(store, claim -> inHandlers(store, BY_ID, claim.queue(), claim.lane(), claim.id()));
    }

    static Store byNumberWithoutOwner(Store store, DataSource dataSource) {
        return acking(
                store, claim -> inHandlers(store, BY_NUMBER, claim.queue(), claim.lane(), claim.id(), claim.claimNo()));
    }

    /** Says yes, and deletes when the handler's transaction has committed. */
    static Store inASecondTransaction(Store store, DataSource dataSource) {
        Sql later = new Sql(dataSource);
        return acking(store, claim -> {
            store.transactions()
                    .afterCommit(() -> later.inTransaction(c -> Sql.update(
                            c, BY_ALL, claim.queue(), claim.lane(), claim.id(), claim.claimNo(), claim.owner())));
            return true;
        });
    }

    /** The claim does not count, the handler's transaction does, in which what a failing handler did is rolled back. */
    static Store countingInTheHandlersTransaction(Store store, DataSource dataSource) {
        Sql own = new Sql(dataSource);
        ClaimStore claims = PortProxy.intercept(ClaimStore.class, store.claims(), (method, args, originalCall) -> {
            if (method.equals("ackIfClaimed")) {
                Claim claim = (Claim) args[0];
                inHandlers(store, COUNT, 1, claim.queue(), claim.lane(), claim.id(), claim.claimNo());
            }
            Object result = originalCall.call();
            if (result instanceof ClaimStore.Claimed claimed) {
                claimed.messages()
                        .forEach(m -> own.inTransaction(c -> Sql.update(
                                c,
                                COUNT,
                                -1,
                                m.claim().queue(),
                                m.claim().lane(),
                                m.claim().id(),
                                m.claim().claimNo())));
            }
            return result;
        });
        return PortProxy.withClaims(store, claims);
    }

    private static Store acking(Store store, Ack ack) {
        return PortProxy.withClaims(
                store,
                PortProxy.replaceMethod(
                        ClaimStore.class, store.claims(), "ackIfClaimed", args -> ack.acknowledges((Claim) args[0])));
    }

    private static boolean inHandlers(Store store, String sql, Object... values) throws SQLException {
        Transactions handlers = store.transactions();
        Connection connection = Objects.requireNonNull(handlers.current());
        return Sql.update(connection, sql, values) == 1;
    }

    /** An acknowledgement. */
    private interface Ack {
        boolean acknowledges(Claim claim) throws SQLException;
    }
}
