package io.acidq.store;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Determines from the text of a statement, or of several in one string, whether it ends the transaction or changes the session. Does not look into
 * stored procedures. Not part of the public API: the modules for JDBC and for Spring use it.
 */
public final class SqlClassifier {

    /** White space before the statement. {@link #withoutComments} has removed the comments. */
    private static final String BEFORE = "\\s*+";

    /** MySQL and MariaDB commit before DDL. After USE, later statements refer to the tables of another database. */
    private static final Pattern ENDS_TRANSACTION = Pattern.compile(
            BEFORE
                    + "(?:COMMIT|ROLLBACK(?!\\s+(?:WORK\\s+)?TO\\b)|BEGIN(?!\\s+NOT\\b)|START\\s+(?:TRANSACTION|REPLICA|SLAVE)|XA"
                    + "|SET\\b[^;]*?\\bAUTOCOMMIT|SET\\s+PASSWORD|SET\\s+DEFAULT\\s+ROLE|USE"
                    + "|(?:CREATE(?:\\s+OR\\s+REPLACE)?|DROP)(?!\\s+TEMPORARY\\b)|ALTER|TRUNCATE|RENAME|GRANT|REVOKE|LOCK|UNLOCK|ANALYZE|OPTIMIZE"
                    + "|REPAIR|CHECK|FLUSH|RESET|INSTALL|UNINSTALL|CACHE\\s+INDEX|LOAD\\s+INDEX)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern SETS_AUTOCOMMIT =
            Pattern.compile(BEFORE + "SET\\b[^;]*?\\bAUTOCOMMIT\\b", Pattern.CASE_INSENSITIVE);

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
                    + "(?:\\(|\\z|(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|MERGE|WITH|VALUES|TABLE|SET(?!\\s+STATEMENT\\b)|DO|SHOW|DESC|DESCRIBE|EXPLAIN|HELP"
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

    /** Whether the statement sets autocommit. */
    public static boolean setsAutocommit(String sql) {
        return anyBeginsWith(SETS_AUTOCOMMIT, sql);
    }

    /**
     * Whether the statement changes the session so that the next user of the connection would notice: a setting, a temporary table, an open table
     * handler, or a user-level lock.
     */
    public static boolean changesSession(String sql) {
        return takesLock(sql) || anyBeginsWith(CHANGES_SESSION, sql);
    }

    /**
     * Whether the statement may run others that its text does not show, and that may end the transaction: a call of a stored procedure, EXECUTE, or a block of MariaDB
     * such as BEGIN NOT ATOMIC. Also a statement with an executable comment: the server decides by its version what the statement is.
     */
    public static boolean runsOthers(String sql) {
        String executed = withoutComments(sql, true);
        return findBeginning(IS_SELF_CONTAINED, executed, false) || !executed.equals(withoutComments(sql, false));
    }

    /** Whether there is text behind a semicolon: another statement, with allowMultiQueries, or the rest of a literal. */
    private static boolean hasSeveral(String sql) {
        int semicolon = sql.indexOf(';');
        return semicolon >= 0 && semicolon < sql.length() - 1;
    }

    /** Whether one of the statements begins so, with the executable comments as statements or as comments. */
    private static boolean anyBeginsWith(Pattern pattern, String sql) {
        String executed = withoutComments(sql, true);
        if (findBeginning(pattern, executed, true)) {
            return true;
        }
        String skipped = withoutComments(sql, false);
        return !skipped.equals(executed) && findBeginning(pattern, skipped, true);
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

    /**
     * Returns the statement with a space in place of each comment, as MySQL and MariaDB read it: a comment of two dashes needs white space or a control character
     * behind them, and that may be the line feed which ends it.
     *
     * @param executable whether the text of executable comments, as in {@code /*!80000 COMMIT}, stays
     */
    private static String withoutComments(String sql, boolean executable) {
        if (sql.indexOf('#') < 0 && !sql.contains("--") && !sql.contains("/*")) {
            return sql;
        }
        StringBuilder kept = new StringBuilder(sql.length());
        boolean inExecutable = false;
        for (int i = 0; i < sql.length(); ) {
            char c = sql.charAt(i);
            int end = i + 1;
            boolean comment = true;
            if (c == '\'' || c == '"' || c == '`') {
                end = Math.min(sql.length(), endOfQuoted(sql, i + 1, c) + 1);
                comment = false;
            } else if (c == '#' || isDashComment(sql, i)) {
                end = indexOrLength(sql, "\n", i);
            } else if (sql.startsWith("/*", i)) {
                int text = beginOfExecutable(sql, i);
                if (text < 0) {
                    end = endOfComment(sql, i + 2);
                } else if (executable) {
                    inExecutable = true;
                    end = text;
                } else {
                    end = endOfExecutable(sql, text);
                }
            } else if (inExecutable && sql.startsWith("*/", i)) {
                inExecutable = false;
                end = i + 2;
            } else {
                comment = false;
            }
            if (comment) {
                kept.append(' ');
            } else {
                kept.append(sql, i, end);
            }
            i = end;
        }
        return kept.toString();
    }

    private static boolean isDashComment(String sql, int i) {
        if (!sql.startsWith("--", i)) {
            return false;
        }
        char next = i + 2 < sql.length() ? sql.charAt(i + 2) : '\0';
        return next <= ' ' || next == '\u007f';
    }

    /** Returns the index behind the mark and the version of an executable comment, or -1 when it is a usual comment. */
    private static int beginOfExecutable(String sql, int i) {
        int mark = sql.startsWith("M", i + 2) ? i + 3 : i + 2;
        if (!sql.startsWith("!", mark)) {
            return -1;
        }
        int text = mark + 1;
        while (text < sql.length() && sql.charAt(text) >= '0' && sql.charAt(text) <= '9') {
            text++;
        }
        return text;
    }

    private static int endOfComment(String sql, int begin) {
        return Math.min(sql.length(), indexOrLength(sql, "*/", begin) + 2);
    }

    /** Returns the index behind an executable comment that the server skips. It may hold usual comments. */
    private static int endOfExecutable(String sql, int begin) {
        int i = begin;
        while (i < sql.length() && !sql.startsWith("*/", i)) {
            i = sql.startsWith("/*", i) ? endOfComment(sql, i + 2) : i + 1;
        }
        return Math.min(sql.length(), i + 2);
    }

    /** Returns the index of the next semicolon outside of literals and quoted names, or the length. */
    private static int endOfStatement(String sql, int begin) {
        int i = begin;
        while (i < sql.length() && sql.charAt(i) != ';') {
            char c = sql.charAt(i);
            i = c == '\'' || c == '"' || c == '`' ? endOfQuoted(sql, i + 1, c) + 1 : i + 1;
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
