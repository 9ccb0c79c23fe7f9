package io.acidq.dashboard.login;

import io.acidq.dashboard.access.User;
import org.jspecify.annotations.Nullable;

/** Those who may sign in at the dashboard itself. Implementations are thread-safe. */
public interface Accounts {

    /** Whether a user types a code without a name. Such a user must be at the machine of the dashboard. */
    boolean usesCode();

    /** Called before the form is shown. */
    default void prepare() {}

    /**
     * Returns the user of a name and a password or code; null if there is none. Takes as long for an unknown name as for a wrong password.
     *
     * @param name the name; empty for a code
     */
    @Nullable
    User signIn(String name, String secret);

    /** A value that is another object after each change, which ends all sessions. */
    Object version();
}
