package io.acidq.resilience;

import io.acidq.QueueMisuseException;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A setting that is an object, the name of a defined object, or absent, so that a default applies. Immutable.
 *
 * @param given the object
 * @param name  the name
 */
public record NamedOrGiven<T>(@Nullable T given, @Nullable String name) {

    public NamedOrGiven {
        if (given != null && name != null) {
            throw new QueueMisuseException("a setting has both the name '" + name
                    + "' and an object: use NamedOrGiven.named or NamedOrGiven.of");
        }
    }

    /** Absent. */
    public static <T> NamedOrGiven<T> none() {
        return new NamedOrGiven<>(null, null);
    }

    public static <T> NamedOrGiven<T> of(T given) {
        return new NamedOrGiven<>(given, null);
    }

    public static <T> NamedOrGiven<T> named(String name) {
        return new NamedOrGiven<>(null, name);
    }

    /** Whether it is absent. */
    public boolean isNone() {
        return given == null && name == null;
    }

    /**
     * Returns the object, looked up by its name if necessary; null when absent.
     *
     * @param known the defined objects by name
     * @param what  the beginning of the error message
     * @throws QueueMisuseException when the name is not defined; the message lists the defined names
     */
    public @Nullable T resolve(Map<String, ? extends T> known, String what) {
        if (name == null) {
            return given;
        }
        T found = known.get(name);
        if (found == null) {
            throw new QueueMisuseException(what + " '" + name + "', which is not known: "
                    + (known.isEmpty()
                            ? "define it with the engine's builder"
                            : "use one of " + new TreeSet<>(known.keySet())
                                    + ", or define it with the engine's builder"));
        }
        return found;
    }
}
