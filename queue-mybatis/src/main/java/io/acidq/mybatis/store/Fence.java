package io.acidq.mybatis.store;

import io.acidq.mybatis.session.Columns;
import io.acidq.mybatis.session.Failures;
import io.acidq.mybatis.session.PlainStatement;
import io.acidq.mybatis.session.Sessions;
import io.acidq.mybatis.session.Vendor;
import io.acidq.store.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** The acknowledgement of claims, in the handler's transaction: only of those that still stand. Thread-safe. */
final class Fence {

    private final Sessions sessions;
    private final PlainStatement one;
    private final PlainStatement many;

    Fence(Sessions sessions) {
        this.sessions = sessions;
        this.one = update(sessions, "ackIfClaimed");
        this.many = update(sessions, "ackAllIfClaimed");
    }

    private static PlainStatement update(Sessions sessions, String verb) {
        return new PlainStatement(sessions, verb, ClaimMapper.class.getName() + '.' + verb);
    }

    boolean ack(Connection connection, Claim claim) {
        return one.run(connection, (s, name, place) -> bind(s, name, place, claim)) == 1;
    }

    /** How many still stood. */
    int ackAll(Connection connection, List<Claim> claims) {
        if (isH2(connection)) { // knows no JSON_TABLE
            return (int) claims.stream().filter(claim -> ack(connection, claim)).count();
        }
        return ClaimPieces.of(claims).stream()
                .mapToInt(piece -> many.run(connection, (s, name, place) -> bind(s, name, place, piece)))
                .sum();
    }

    private boolean isH2(Connection connection) {
        try {
            return sessions.vendor(connection) == Vendor.H2;
        } catch (SQLException e) {
            throw Failures.of("ackAllIfClaimed", e);
        }
    }

    private static void bind(PreparedStatement statement, String name, int place, Claim claim) throws SQLException {
        switch (name) {
            case "queue" -> statement.setInt(place, claim.queue());
            case "lane" -> statement.setInt(place, claim.lane());
            case "id" -> statement.setLong(place, claim.id());
            case "uid" -> statement.setBytes(place, Columns.bytes(claim.uid()));
            case "owner" -> statement.setInt(place, claim.owner());
            case "claimNo" -> statement.setInt(place, claim.claimNo());
            default -> throw new IllegalArgumentException("no part of a claim: " + name);
        }
    }

    private static void bind(PreparedStatement statement, String name, int place, List<Claim> ofOneLane)
            throws SQLException {
        if (name.equals("claims")) {
            statement.setString(place, json(ofOneLane));
        } else {
            bind(statement, name, place, ofOneLane.get(0));
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
