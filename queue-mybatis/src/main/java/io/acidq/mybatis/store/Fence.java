package io.acidq.mybatis.store;

import io.acidq.mybatis.session.DirectStatement;
import io.acidq.mybatis.session.DirectStatement.Parameters;
import io.acidq.mybatis.session.ExceptionTranslator;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.mybatis.session.Vendor;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.Content;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The first and the last look at claims, in the handler's transaction: only of those that still stand. Thread-safe. */
final class Fence {

    private final MyBatisSessions sessions;
    private final DirectStatement one;
    private final DirectStatement many;
    private final DirectStatement content;

    Fence(MyBatisSessions sessions) {
        this.sessions = sessions;
        this.one = statement(sessions, "ackIfClaimed");
        this.many = statement(sessions, "ackAllIfClaimed");
        this.content = statement(sessions, "content");
    }

    private static DirectStatement statement(MyBatisSessions sessions, String verb) {
        return new DirectStatement(sessions, verb, ClaimMapper.class.getName() + '.' + verb);
    }

    boolean ack(Connection connection, Claim claim) {
        return one.run(connection, (to, name) -> bind(to, name, claim)) == 1;
    }

    /** What the message holds; null when the claim does not stand. */
    @Nullable
    Content content(Connection connection, Claim claim) {
        return content.first(
                connection,
                (to, name) -> bind(to, name, claim),
                row -> new Content(
                        row.getBytes(1),
                        Objects.requireNonNull(TypeHandlers.instant(row, 2)),
                        Objects.requireNonNull(TypeHandlers.instant(row, 3))));
    }

    /** How many still stood. */
    int ackAll(Connection connection, List<Claim> claims) {
        if (isH2(connection)) { // knows no JSON_TABLE
            return (int) claims.stream().filter(claim -> ack(connection, claim)).count();
        }
        return ClaimPieces.of(claims).stream()
                .mapToInt(piece -> many.run(connection, (to, name) -> bind(to, name, piece)))
                .sum();
    }

    private boolean isH2(Connection connection) {
        try {
            return sessions.vendor(connection) == Vendor.H2;
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("ackAllIfClaimed", e);
        }
    }

    private static void bind(Parameters to, String name, Claim claim) throws SQLException {
        switch (name) {
            case "queue" -> to.number(claim.queue());
            case "lane" -> to.number(claim.lane());
            case "id" -> to.number(claim.id());
            case "uid" -> to.bytes(TypeHandlers.bytes(claim.uid()));
            case "owner" -> to.number(claim.owner());
            case "claimNo" -> to.number(claim.claimNo());
            default -> throw new IllegalArgumentException("no part of a claim: " + name);
        }
    }

    private static void bind(Parameters to, String name, List<Claim> ofOneLane) throws SQLException {
        if (name.equals("claims")) {
            to.text(json(ofOneLane));
        } else {
            bind(to, name, ofOneLane.get(0));
        }
    }

    /** Numbers and hexadecimal digits: nothing that would have to be quoted. */
    static String json(List<Claim> claims) {
        return claims.stream()
                .map(c -> "[" + c.id() + ",\"" + c.uid().toString().replace("-", "") + "\"," + c.owner() + ","
                        + c.claimNo() + "]")
                .collect(Collectors.joining(",", "[", "]"));
    }
}
