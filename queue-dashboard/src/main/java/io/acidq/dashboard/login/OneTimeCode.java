package io.acidq.dashboard.login;

import io.acidq.dashboard.access.User;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One user, who types a code that the dashboard has shown on its terminal. A code is void after it was used, and after 10 minutes. A new one is shown when somebody
 * opens the form and the last one is void.
 */
public final class OneTimeCode implements Accounts {

    /** Without letters and digits that look like others. */
    private static final String ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

    private static final int CHARACTERS = 8;
    private static final Duration VALID = Duration.ofMinutes(10);

    private final User user;
    private final Consumer<String> terminal;
    private final LongSupplier nanoTime;
    private final SecureRandom random = new SecureRandom();
    private @Nullable String code;
    private long shownAt;

    /**
     * A user.
     *
     * @param terminal shows a code to the user only
     */
    public OneTimeCode(User user, Consumer<String> terminal) {
        this(user, terminal, System::nanoTime);
    }

    OneTimeCode(User user, Consumer<String> terminal, LongSupplier nanoTime) {
        this.user = user;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean usesCode() {
        return true;
    }

    @Override
    public synchronized void prepare() {
        if (!isValid()) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < CHARACTERS; i++) {
                text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            code = text.toString();
            shownAt = nanoTime.getAsLong();
            terminal.accept(text.insert(CHARACTERS / 2, '-').toString());
        }
    }

    @Override
    public synchronized @Nullable User signIn(String name, String secret) {
        String typed = secret.toUpperCase(Locale.ROOT).replaceAll("[\\s-]", "");
        if (!isValid()
                || !MessageDigest.isEqual(
                        String.valueOf(code).getBytes(StandardCharsets.UTF_8),
                        typed.getBytes(StandardCharsets.UTF_8))) {
            return null;
        }
        code = null;
        return user;
    }

    private boolean isValid() {
        return code != null && nanoTime.getAsLong() - shownAt < VALID.toNanos();
    }

    @Override
    public Object version() {
        return user;
    }
}
