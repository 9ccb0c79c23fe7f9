package io.acidq.mybatis.guard;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Tells statements that end or begin a transaction, by their nature or by the way: MySQL and MariaDB commit before DDL. And the one after
 * which the others mean tables of another database.
 */
final class EndingStatement {

    /** What may stand in front: blanks and comments. */
    static final String BEFORE =
            "(?:\\s|/\\*(?!M?!)(?:[^*]|\\*(?!/))*+\\*/|--\\s[^\\n]*+(?:\\n|$)|#[^\\n]*+(?:\\n|$))*+(?:/\\*M?!\\d*+\\s*+)?+";

    private static final Pattern BEGINNING = Pattern.compile(
            BEFORE
                    + "(?:COMMIT|ROLLBACK(?!\\s+(?:WORK\\s+)?TO\\b)|BEGIN(?!\\s+NOT\\b)|START\\s+(?:TRANSACTION|REPLICA|SLAVE)|XA"
                    + "|SET\\b[^;]*?\\bAUTOCOMMIT|SET\\s+PASSWORD|USE"
                    + "|(?:CREATE(?:\\s+OR\\s+REPLACE)?|DROP)(?!\\s+TEMPORARY\\b)|ALTER|TRUNCATE|RENAME|GRANT|REVOKE|LOCK|UNLOCK|ANALYZE|OPTIMIZE"
                    + "|REPAIR|CHECK|FLUSH|RESET|INSTALL|UNINSTALL|CACHE\\s+INDEX|LOAD\\s+INDEX)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final List<String> ORDINARY = List.of("SELECT ", "INSERT ", "UPDATE ", "DELETE ");

    private EndingStatement() {}

    /** Nearly all statements there are, told without a pattern. */
    static boolean isOrdinary(String sql) {
        for (String word : ORDINARY) {
            if (sql.regionMatches(true, 0, word, 0, word.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement would end the transaction that it runs in. A stored procedure is not looked into. */
    static boolean is(String sql) {
        return BEGINNING.matcher(sql).lookingAt();
    }
}
