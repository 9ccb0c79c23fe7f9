package io.acidq.mybatis.transaction;

import java.util.List;
import java.util.regex.Pattern;

/** Determines from the beginning of a statement whether it ends the transaction or changes the session. Does not look into stored procedures. */
final class SqlClassifier {

    /** White space and comments before the statement. */
    private static final String BEFORE =
            "(?:\\s|/\\*(?!M?!)(?:[^*]|\\*(?!/))*+\\*/|--\\s[^\\n]*+(?:\\n|$)|#[^\\n]*+(?:\\n|$))*+(?:/\\*M?!\\d*+\\s*+)?+";

    /** MySQL and MariaDB commit before DDL. After USE, later statements refer to the tables of another database. */
    private static final Pattern ENDS_TRANSACTION = Pattern.compile(
            BEFORE
                    + "(?:COMMIT|ROLLBACK(?!\\s+(?:WORK\\s+)?TO\\b)|BEGIN(?!\\s+NOT\\b)|START\\s+(?:TRANSACTION|REPLICA|SLAVE)|XA"
                    + "|SET\\b[^;]*?\\bAUTOCOMMIT|SET\\s+PASSWORD|USE"
                    + "|(?:CREATE(?:\\s+OR\\s+REPLACE)?|DROP)(?!\\s+TEMPORARY\\b)|ALTER|TRUNCATE|RENAME|GRANT|REVOKE|LOCK|UNLOCK|ANALYZE|OPTIMIZE"
                    + "|REPAIR|CHECK|FLUSH|RESET|INSTALL|UNINSTALL|CACHE\\s+INDEX|LOAD\\s+INDEX)\\b",
            Pattern.CASE_INSENSITIVE);

    /** Does not match statements that change only a user variable, a single statement, or the server. */
    private static final Pattern CHANGES_SESSION = Pattern.compile(
            BEFORE + "SET\\s+(?!@(?!@)|STATEMENT\\b|GLOBAL\\b|PERSIST|@@(?:GLOBAL|PERSIST))", Pattern.CASE_INSENSITIVE);

    private static final List<String> ORDINARY = List.of("SELECT ", "INSERT ", "UPDATE ", "DELETE ");

    private SqlClassifier() {}

    /** Whether the statement certainly does neither. Recognizes nearly all statements without a pattern. */
    static boolean isOrdinary(String sql) {
        for (String word : ORDINARY) {
            if (sql.regionMatches(true, 0, word, 0, word.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement ends or begins a transaction, also as a side effect, or selects another database. */
    static boolean endsTransaction(String sql) {
        return ENDS_TRANSACTION.matcher(sql).lookingAt();
    }

    /** Whether the statement changes settings of the session, which the next user of the connection would inherit. */
    static boolean changesSession(String sql) {
        return CHANGES_SESSION.matcher(sql).lookingAt();
    }
}
