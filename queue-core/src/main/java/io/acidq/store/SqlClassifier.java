package io.acidq.store;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Determines from the text of a statement, or of several in one string, whether it ends the transaction or changes the session. Does not look into
 * stored procedures. Not part of the
 * public API: the modules for JDBC and for Spring use it.
 */
public final class SqlClassifier {

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

    /** A variable of the session, as the target of an assignment: neither a user variable nor one of the server. */
    private static final String SESSION_VARIABLE = "(?!@(?!@)|GLOBAL\\b|PERSIST|@@(?:GLOBAL|PERSIST))";

    /** Does not match statements that change only user variables, a single statement, or the server. */
    private static final Pattern CHANGES_SESSION = Pattern.compile(
            BEFORE
                    + "(?:SET\\s++(?!STATEMENT\\b)(?:" + SESSION_VARIABLE + "|[^;]*?,\\s*" + SESSION_VARIABLE
                    + "[\\w@.`]+(?:\\s+[\\w.`]+)?\\s*:?=)"
                    + "|CREATE\\s+(?:OR\\s+REPLACE\\s+)?TEMPORARY\\b"
                    + "|HANDLER\\s+\\S+\\s+OPEN\\b)",
            Pattern.CASE_INSENSITIVE);

    /** Begins with a word whose statement runs no other statement, except for triggers and functions, which cannot end the transaction. */
    private static final Pattern IS_SELF_CONTAINED = Pattern.compile(
            BEFORE
                    + "(?:\\(|$|(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|MERGE|WITH|VALUES|TABLE|SET(?!\\s+STATEMENT\\b)|DO|SHOW|DESC|DESCRIBE|EXPLAIN|HELP"
                    + "|SAVEPOINT|RELEASE|ROLLBACK|LOAD|HANDLER|PREPARE|DEALLOCATE|CREATE|DROP|KILL|SIGNAL|RESIGNAL|GET)\\b)",
            Pattern.CASE_INSENSITIVE);

    /** The function with which a session takes a lock that no end of a transaction releases. */
    private static final String LOCK_FUNCTION = "GET_LOCK";

    private static final List<String> ORDINARY = List.of("SELECT ", "INSERT ", "UPDATE ", "DELETE ");

    private SqlClassifier() {}

    /** Whether the statement certainly does neither. Recognizes nearly all statements without a pattern. */
    public static boolean isOrdinary(String sql) {
        for (String word : ORDINARY) {
            if (sql.regionMatches(true, 0, word, 0, word.length())) {
                return !takesLock(sql) && !hasSeveral(sql);
            }
        }
        return false;
    }

    private static boolean takesLock(String sql) {
        for (int i = sql.indexOf('_'); i >= 0; i = sql.indexOf('_', i + 1)) {
            if (sql.regionMatches(true, i - 3, LOCK_FUNCTION, 0, LOCK_FUNCTION.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement ends or begins a transaction, also as a side effect, or selects another database. */
    public static boolean endsTransaction(String sql) {
        return anyBeginsWith(ENDS_TRANSACTION, sql);
    }

    /** Whether the statement changes the session so that the next user of the connection would notice: a setting, a temporary table, an open table handler, or a user-level lock. */
    public static boolean changesSession(String sql) {
        return takesLock(sql) || anyBeginsWith(CHANGES_SESSION, sql);
    }

    /**
     * Whether the statement may run others that its text does not show, and that may end the transaction: a call of a stored procedure, EXECUTE, or a block of MariaDB
     * such as BEGIN NOT ATOMIC.
     */
    public static boolean runsOthers(String sql) {
        return !allBeginWith(IS_SELF_CONTAINED, sql);
    }

    /** Whether there is text behind a semicolon: another statement, with allowMultiQueries, or the rest of a literal. */
    private static boolean hasSeveral(String sql) {
        int semicolon = sql.indexOf(';');
        return semicolon >= 0 && semicolon < sql.length() - 1;
    }

    private static boolean anyBeginsWith(Pattern pattern, String sql) {
        return findBeginning(pattern, sql, true);
    }

    private static boolean allBeginWith(Pattern pattern, String sql) {
        return !findBeginning(pattern, sql, false);
    }

    /** Whether one of the statements matches the pattern, or does not. */
    private static boolean findBeginning(Pattern pattern, String sql, boolean matching) {
        if (!hasSeveral(sql)) {
            return pattern.matcher(sql).lookingAt() == matching;
        }
        for (int begin = 0; begin < sql.length(); ) {
            int end = endOfStatement(sql, begin);
            if (pattern.matcher(sql).region(begin, end).lookingAt() == matching) {
                return true;
            }
            begin = end + 1;
        }
        return false;
    }

    /** Returns the index of the next semicolon outside of literals, quoted names and comments, or the length. */
    private static int endOfStatement(String sql, int begin) {
        int i = begin;
        while (i < sql.length() && sql.charAt(i) != ';') {
            char c = sql.charAt(i);
            if (c == '\'' || c == '"' || c == '`') {
                i = endOfQuoted(sql, i + 1, c);
            } else if (c == '#' || sql.startsWith("-- ", i)) {
                i = indexOrLength(sql, "\n", i);
            } else if (sql.startsWith("/*", i) && !sql.startsWith("!", i + 2) && !sql.startsWith("M!", i + 2)) {
                i = indexOrLength(sql, "*/", i + 2);
            }
            i++;
        }
        return Math.min(i, sql.length());
    }

    private static int endOfQuoted(String sql, int begin, char quote) {
        int i = begin;
        while (i < sql.length() && sql.charAt(i) != quote) {
            i += sql.charAt(i) == '\\' && quote != '`' ? 2 : 1;
        }
        return i;
    }

    private static int indexOrLength(String sql, String text, int begin) {
        int index = sql.indexOf(text, begin);
        return index < 0 ? sql.length() : index;
    }
}
