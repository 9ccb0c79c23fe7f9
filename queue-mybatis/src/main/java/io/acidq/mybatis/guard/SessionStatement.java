package io.acidq.mybatis.guard;

import java.util.regex.Pattern;

/** Tells statements that change the session, so that the next user of its connection would meet other settings than those of the pool. */
final class SessionStatement {

    /** Not those that change only a variable of the user, one statement, or the server. */
    private static final Pattern BEGINNING = Pattern.compile(
            EndingStatement.BEFORE + "SET\\s+(?!@(?!@)|STATEMENT\\b|GLOBAL\\b|PERSIST|@@(?:GLOBAL|PERSIST))",
            Pattern.CASE_INSENSITIVE);

    private SessionStatement() {}

    static boolean is(String sql) {
        return BEGINNING.matcher(sql).lookingAt();
    }
}
