package io.acidq.engine.intercept;

import io.acidq.Interceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What interceptors have begun around one call. Confined to a thread at a time.
 *
 * @param <S> what they hear the end by
 */
final class Scopes<S> {

    private final List<Open<S>> open = new ArrayList<>();

    /** Begins with each of them, in order. */
    static <S> Scopes<S> begin(List<Guarded> interceptors, Function<Interceptor, @Nullable S> question) {
        Scopes<S> scopes = new Scopes<>();
        for (Guarded each : interceptors) {
            S scope = each.ask(question);
            if (scope != null) {
                scopes.open.add(new Open<>(each, scope));
            }
        }
        return scopes;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** The last one first. */
    void end(Consumer<S> how) {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).tell(how);
        }
    }

    /** The first one first. */
    void each(Consumer<S> how) {
        open.forEach(one -> one.tell(how));
    }

    /** What one interceptor has begun. */
    private record Open<S>(Guarded by, S scope) {

        void tell(Consumer<S> how) {
            try {
                how.accept(scope);
            } catch (Throwable e) {
                by.threw(e);
            }
        }
    }
}
