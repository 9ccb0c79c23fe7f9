package io.acidq;

import org.jspecify.annotations.Nullable;

/** What a queue may be called. */
public final class QueueNames {

    static final String RULE = "use 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit";

    private static final int LONGEST = 100;

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
        if (name == null || name.isEmpty() || name.length() > LONGEST || !isLetterOrDigit(name.charAt(0))) {
            return false;
        }
        for (int i = 1;
                i < name.length();
                i++) { // without a Pattern: each message that is enqueued has its queue's name checked
            char c = name.charAt(i);
            if (!isLetterOrDigit(c) && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
