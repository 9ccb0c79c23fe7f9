package io.acidq.mybatis.schema;

import io.acidq.QueueMisuseException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the file of the jar with the privileges that each role needs. */
public final class Grants {

    private static final String RESOURCE = "/io/acidq/schema/mysql/grants.sql";

    private static final Pattern ROLE = Pattern.compile("(?m)^-- role: ");
    private static final Pattern DATABASE = Pattern.compile("[^`\\\\\\p{Cntrl}]{1,64}");
    private static final Pattern ACCOUNT =
            Pattern.compile("[^'`\"\\\\\\p{Cntrl}@]{1,80}(@[^'`\"\\\\\\p{Cntrl}@]{1,255})?");

    private Grants() {}

    /** Returns the statements of one role without semicolons. */
    public static List<String> of(String role, String database, String account) {
        String quoted = quotedAccount(account);
        if (!DATABASE.matcher(database).matches()) {
            throw new QueueMisuseException("database name '" + database
                    + "' is not allowed in a GRANT: 1 to 64 characters, without backtick or backslash");
        }
        return Arrays.stream(part(role).split("\n", -1))
                .filter(line -> line.startsWith("GRANT "))
                .map(line -> line.substring(0, line.length() - 1)
                        .replace("${database}", SchemaDifference.quoted(database))
                        .replace("${account}", quoted))
                .toList();
    }

    private static String part(String role) {
        return ROLE.splitAsStream(ExpectedSchema.read(RESOURCE))
                .filter(part -> part.startsWith(role + "\n"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no role " + role + " in " + RESOURCE));
    }

    /** The part before the {@code @} is the user. An account without {@code @} is a role of the server. */
    private static String quotedAccount(String account) {
        if (!ACCOUNT.matcher(account).matches()) {
            throw new QueueMisuseException(
                    "account '" + account
                            + "' is not allowed in a GRANT: use user@host, as in shop_worker@% , or the name of a role, without quotes");
        }
        return "'" + account.replace("@", "'@'") + "'";
    }
}
