package io.acidq;

import org.jspecify.annotations.Nullable;

/** The rule for names of queues: 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit. */
public final class QueueNames {

    static final String RULE = "use 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit";

    private static final int MAX_LENGTH = 100;

    private QueueNames() {}

    /**
     * Returns the name if it is valid.
     *
     * @throws QueueMisuseException when it is not
     */
    public static String check(@Nullable String name) {
        if (name == null || !isValid(name)) {
            throw new QueueMisuseException("queue name '" + name + "' is not allowed: " + RULE);
        }
        return name;
    }

    /** A loop instead of a Pattern, because each enqueue checks the name of its queue. */
    static boolean isValid(@Nullable String name) {
        if (name == null || name.isEmpty() || name.length() > MAX_LENGTH || !isLetterOrDigit(name.charAt(0))) {
            return false;
        }
        for (int i = 1; i < name.length(); i++) {
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
