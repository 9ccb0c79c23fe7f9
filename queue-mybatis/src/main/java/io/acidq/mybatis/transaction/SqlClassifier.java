package io.acidq.mybatis.transaction;

import java.util.List;
import java.util.regex.Pattern;

/** Tells from the beginning of a statement whether it ends its transaction or changes its session. A stored procedure is not looked into. */
final class SqlClassifier {

    /** What may stand in front: blanks and comments. */
    private static final String BEFORE =
            "(?:\\s|/\\*(?!M?!)(?:[^*]|\\*(?!/))*+\\*/|--\\s[^\\n]*+(?:\\n|$)|#[^\\n]*+(?:\\n|$))*+(?:/\\*M?!\\d*+\\s*+)?+";

    /** MySQL and MariaDB commit before DDL; after USE the other statements mean tables of another database. */
    private static final Pattern ENDS_TRANSACTION = Pattern.compile(
            BEFORE
                    + "(?:COMMIT|ROLLBACK(?!\\s+(?:WORK\\s+)?TO\\b)|BEGIN(?!\\s+NOT\\b)|START\\s+(?:TRANSACTION|REPLICA|SLAVE)|XA"
                    + "|SET\\b[^;]*?\\bAUTOCOMMIT|SET\\s+PASSWORD|USE"
                    + "|(?:CREATE(?:\\s+OR\\s+REPLACE)?|DROP)(?!\\s+TEMPORARY\\b)|ALTER|TRUNCATE|RENAME|GRANT|REVOKE|LOCK|UNLOCK|ANALYZE|OPTIMIZE"
                    + "|REPAIR|CHECK|FLUSH|RESET|INSTALL|UNINSTALL|CACHE\\s+INDEX|LOAD\\s+INDEX)\\b",
            Pattern.CASE_INSENSITIVE);

    /** Leaves out statements that change only a variable of the user, one statement, or the server. */
    private static final Pattern CHANGES_SESSION = Pattern.compile(
            BEFORE + "SET\\s+(?!@(?!@)|STATEMENT\\b|GLOBAL\\b|PERSIST|@@(?:GLOBAL|PERSIST))", Pattern.CASE_INSENSITIVE);

    private static final List<String> ORDINARY = List.of("SELECT ", "INSERT ", "UPDATE ", "DELETE ");

    private SqlClassifier() {}

    /** Whether the statement does neither. Recognizes nearly all statements without a pattern. */
    static boolean isOrdinary(String sql) {
        for (String word : ORDINARY) {
            if (sql.regionMatches(true, 0, word, 0, word.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement ends or begins a transaction, by its nature or as a side effect, or leaves the database of the tables. */
    static boolean endsTransaction(String sql) {
        return ENDS_TRANSACTION.matcher(sql).lookingAt();
    }

    /** Whether the statement changes the session, so that the next user of the connection would find other settings than the pool's. */
    static boolean changesSession(String sql) {
        return CHANGES_SESSION.matcher(sql).lookingAt();
    }
}
