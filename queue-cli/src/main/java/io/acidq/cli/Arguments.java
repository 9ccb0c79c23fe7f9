package io.acidq.cli;

import io.acidq.QueueMisuseException;
import java.util.function.Supplier;

/** What was given on the command line. */
final class Arguments {

    private Arguments() {}

    /** What is made of options alone: a misuse is that of the command line. */
    static <T> T checked(Supplier<T> made) {
        try {
            return made.get();
        } catch (QueueMisuseException e) {
            throw new RefusedException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
