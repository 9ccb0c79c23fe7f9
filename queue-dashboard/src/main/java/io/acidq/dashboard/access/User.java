package io.acidq.dashboard.access;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * A user of the dashboard. Immutable.
 *
 * @param name        the name, which the audit log records as the actor: 1 to 100 characters
 * @param permissions what the user may do, before {@link AccessPolicy} is asked
 */
public record User(String name, Set<Permission> permissions) {

    private static final int NAME_CHARACTERS = 100;

    /** Cuts the name at 100 characters, the most that the audit log stores. */
    public User {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a user must not be blank");
        }
        if (name.length() > NAME_CHARACTERS) {
            int end =
                    Character.isHighSurrogate(name.charAt(NAME_CHARACTERS - 1)) ? NAME_CHARACTERS - 1 : NAME_CHARACTERS;
            name = name.substring(0, end);
        }
        permissions = Set.copyOf(permissions);
    }

    /** A user with the permissions of a level. */
    public static User of(String name, Level level) {
        return new User(name, level.permissions());
    }

    /** Returns this user without some permissions. */
    public User without(Set<Permission> removed) {
        EnumSet<Permission> left = EnumSet.noneOf(Permission.class);
        left.addAll(permissions);
        left.removeAll(removed);
        return new User(name, left);
    }

    /** Returns this user with one permission more. */
    public User with(Permission added) {
        EnumSet<Permission> all = EnumSet.of(added);
        all.addAll(permissions);
        return new User(name, all);
    }

    /** The levels of users; each has the permissions of those before it. */
    public enum Level {
        /** Sees numbers, ids and states. */
        VIEWER,
        /** Also sees masked content, and acts. */
        OPERATOR,
        /** Also does what cannot be undone. */
        ADMIN;

        public Set<Permission> permissions() {
            return switch (this) {
                case VIEWER -> Set.of(Permission.VIEW);
                case OPERATOR -> Set.of(Permission.VIEW, Permission.CONTENT, Permission.OPERATE);
                case ADMIN -> Set.of(Permission.VIEW, Permission.CONTENT, Permission.OPERATE, Permission.DESTROY);
            };
        }
    }
}
