package io.acidq.mybatis.guard;

import java.util.List;
import java.util.regex.Pattern;

/** Tells statements that end or begin a transaction, by their nature or by the way: MySQL and MariaDB commit before DDL. */
final class EndingStatement {

    private static final Pattern BEGINNING = Pattern.compile(
            "(?:\\s|/\\*(?!M?!)(?:[^*]|\\*(?!/))*+\\*/|--\\s[^\\n]*+(?:\\n|$)|#[^\\n]*+(?:\\n|$))*+(?:/\\*M?!\\d*+\\s*+)?+"
                    + "(?:COMMIT|ROLLBACK(?!\\s+(?:WORK\\s+)?TO\\b)|BEGIN(?!\\s+NOT\\b)|START\\s+(?:TRANSACTION|REPLICA|SLAVE)|XA"
                    + "|SET\\s+(?:SESSION\\s+|@@(?:SESSION\\.)?)?AUTOCOMMIT|SET\\s+PASSWORD"
                    + "|(?:CREATE(?:\\s+OR\\s+REPLACE)?|DROP)(?!\\s+TEMPORARY\\b)|ALTER|TRUNCATE|RENAME|GRANT|REVOKE|LOCK|UNLOCK|ANALYZE|OPTIMIZE"
                    + "|REPAIR|CHECK|FLUSH|RESET|INSTALL|UNINSTALL|CACHE\\s+INDEX|LOAD\\s+INDEX)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final List<String> HARMLESS = List.of("SELECT ", "INSERT ", "UPDATE ", "DELETE ");

    private EndingStatement() {}

    /** Whether the statement would end the transaction that it runs in. A stored procedure is not looked into. */
    static boolean is(String sql) {
        for (String word : HARMLESS) { // nearly all statements there are, told without the pattern
            if (sql.regionMatches(true, 0, word, 0, word.length())) {
                return false;
            }
        }
        return BEGINNING.matcher(sql).lookingAt();
    }
}
