package io.acidq.resilience;

import io.acidq.QueueMisuseException;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Something given as it is, or by the name under which it is known, or left to the defaults. Immutable.
 *
 * @param given what was given
 * @param name  the name
 */
public record NamedOrGiven<T>(@Nullable T given, @Nullable String name) {

    public NamedOrGiven {
        if (given != null && name != null) {
            throw new QueueMisuseException("give '" + name + "' by its name or as it is, not both");
        }
    }

    /** Left to the defaults. */
    public static <T> NamedOrGiven<T> none() {
        return new NamedOrGiven<>(null, null);
    }

    public static <T> NamedOrGiven<T> of(T given) {
        return new NamedOrGiven<>(given, null);
    }

    public static <T> NamedOrGiven<T> named(String name) {
        return new NamedOrGiven<>(null, name);
    }

    /** Whether it was left to the defaults. */
    public boolean isNone() {
        return given == null && name == null;
    }

    /**
     * What was chosen; null when it was left to the defaults.
     *
     * @param what  who asks for what, for the error
     * @throws QueueMisuseException when the name is not known; it names those that are
     */
    public @Nullable T among(Map<String, ? extends T> known, String what) {
        if (name == null) {
            return given;
        }
        T found = known.get(name);
        if (found == null) {
            throw new QueueMisuseException(what + " '" + name + "', which is not known: "
                    + (known.isEmpty()
                            ? "define it"
                            : "use one of " + new TreeSet<>(known.keySet()) + ", or define it"));
        }
        return found;
    }
}
