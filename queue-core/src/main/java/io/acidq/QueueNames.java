package io.acidq;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a queue may be called. */
public final class QueueNames {

    static final String RULE = "use 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit";

    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private QueueNames() {}

    /**
     * The name, when it is legal.
     *
     * @throws QueueMisuseException when it is not
     */
    public static String check(@Nullable String name) {
        if (name == null || !isLegal(name)) {
            throw new QueueMisuseException("queue name '" + name + "' is not allowed: " + RULE);
        }
        return name;
    }

    static boolean isLegal(@Nullable String name) {
        return name != null && LEGAL.matcher(name).matches();
    }
}
