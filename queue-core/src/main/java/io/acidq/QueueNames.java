package io.acidq;

import java.util.regex.Pattern;

/** What a queue may be called. */
public final class QueueNames {

    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private QueueNames() {}

    /**
     * The name, when it is legal.
     *
     * @throws QueueMisuseException when it is not
     */
    public static String check(String name) {
        if (!LEGAL.matcher(name).matches()) {
            throw new QueueMisuseException(
                    "queue name '" + name
                            + "' is not allowed: use 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit");
        }
        return name;
    }
}
