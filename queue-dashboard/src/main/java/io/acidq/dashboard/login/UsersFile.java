package io.acidq.dashboard.login;

import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with a line {@code name:level:hash} for each user. Empty lines and lines that begin with {@code #} are ignored. Each change is noticed at the next
 * request. While the file cannot be read, no user may sign in.
 */
public final class UsersFile implements Accounts {

    private static final Logger LOG = LoggerFactory.getLogger(UsersFile.class);
    private static final int LONGEST_NAME = 100;

    private final Path file;
    private final PasswordHash nobody = PasswordHash.ofNobody();
    private Content content;

    private UsersFile(Path file, Content content) {
        this.file = file;
        this.content = content;
    }

    /**
     * Reads a file.
     *
     * @throws IOException              if it cannot be read
     * @throws IllegalArgumentException if a line is wrong; the message names it
     */
    public static UsersFile read(Path file) throws IOException {
        Content content = Content.of(Files.readAllBytes(file));
        if (content.accounts().isEmpty()) {
            throw new IllegalArgumentException("it has no user: add a line name:level:hash");
        }
        return new UsersFile(file, content);
    }

    @Override
    public boolean usesCode() {
        return false;
    }

    @Override
    public @Nullable User signIn(String name, String secret) {
        Account account = current().accounts().get(name);
        boolean isRight = (account == null ? nobody : account.hash()).matches(secret);
        return account != null && isRight ? account.user() : null;
    }

    @Override
    public Object version() {
        return current();
    }

    private synchronized Content current() {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            return unreadable(new byte[0], e.toString());
        }
        if (!Arrays.equals(bytes, content.bytes())) {
            try {
                content = Content.of(bytes);
            } catch (IllegalArgumentException e) {
                return unreadable(bytes, String.valueOf(e.getMessage()));
            }
        }
        return content;
    }

    private Content unreadable(byte[] bytes, String why) {
        if (!Arrays.equals(bytes, content.bytes())) { // once for each change
            LOG.error("Users cannot sign in at the dashboard: the users file {} cannot be used: {}", file, why);
            content = new Content(bytes, Map.of());
        }
        return content;
    }

    /** The content of the file. Compared by identity. */
    private static final class Content {

        private final byte[] bytes;
        private final Map<String, Account> accounts;

        Content(byte[] bytes, Map<String, Account> accounts) {
            this.bytes = bytes;
            this.accounts = accounts;
        }

        static Content of(byte[] bytes) {
            Map<String, Account> accounts = new LinkedHashMap<>();
            String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\\R", -1);
            for (int i = 0; i < lines.length; i++) {
                String line = lines[i].strip();
                if (!line.isEmpty() && !line.startsWith("#")) {
                    try {
                        Account account = Account.of(line);
                        if (accounts.put(account.user().name(), account) != null) {
                            throw new IllegalArgumentException(
                                    "there is a second user '" + account.user().name() + "'");
                        }
                    } catch (IllegalArgumentException e) {
                        throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
                    }
                }
            }
            return new Content(bytes, accounts);
        }

        byte[] bytes() {
            return bytes;
        }

        Map<String, Account> accounts() {
            return accounts;
        }
    }

    private record Account(User user, PasswordHash hash) {

        static Account of(String line) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3 || parts[0].isBlank() || parts[0].length() > LONGEST_NAME) {
                throw new IllegalArgumentException(
                        "a line must be name:level:hash, with a name of 1 to " + LONGEST_NAME + " characters");
            }
            for (Level level : Level.values()) {
                if (level.name().equals(parts[1].toUpperCase(Locale.ROOT))) {
                    return new Account(User.of(parts[0], level), PasswordHash.parse(parts[2]));
                }
            }
            throw new IllegalArgumentException(
                    "the level of '" + parts[0] + "' must be viewer, operator or admin, was '" + parts[1] + "'");
        }
    }
}
