package io.acidq.dashboard.login;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** The hash of a password: PBKDF2 with HMAC-SHA256, 600,000 rounds or more, and a salt of 16 bytes. Immutable. */
public final class PasswordHash {

    private static final String PREFIX = "pbkdf2-sha256";
    private static final int ROUNDS = 600_000;
    private static final int MAX_ROUNDS = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final int rounds;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int rounds, byte[] salt, byte[] hash) {
        this.rounds = rounds;
        this.salt = salt;
        this.hash = hash;
    }

    /** Hashes a password with a new salt. */
    public static PasswordHash of(String password) {
        byte[] salt = randomBytes(SALT_BYTES);
        return new PasswordHash(ROUNDS, salt, hash(password, salt, ROUNDS));
    }

    /** A hash that no password has, which takes as long to compare. */
    static PasswordHash ofNobody() {
        return new PasswordHash(ROUNDS, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException if it is no such text, without the text in the message
     */
    public static PasswordHash parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 4 && parts[0].equals(PREFIX)) {
                int rounds = Integer.parseInt(parts[1]);
                byte[] salt = Base64.getUrlDecoder().decode(parts[2]);
                byte[] hash = Base64.getUrlDecoder().decode(parts[3]);
                if (rounds >= ROUNDS
                        && rounds <= MAX_ROUNDS
                        && salt.length >= SALT_BYTES
                        && hash.length == HASH_BYTES) {
                    return new PasswordHash(rounds, salt, hash);
                }
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        throw new IllegalArgumentException("the hash is not one that 'acidq dashboard --hash' writes");
    }

    /** Whether this is the hash of a password. The time does not depend on how much of it is right. */
    boolean matches(String password) {
        return MessageDigest.isEqual(hash, hash(password, salt, rounds));
    }

    private static byte[] hash(String password, byte[] salt, int rounds) {
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, rounds, HASH_BYTES * 8);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no PBKDF2WithHmacSHA256", e);
        } finally {
            spec.clearPassword();
        }
    }

    private static byte[] randomBytes(int number) {
        byte[] bytes = new byte[number];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Returns the hash as a line of the users file has it. */
    @Override
    public String toString() {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        return PREFIX + ":" + rounds + ":" + base64.encodeToString(salt) + ":" + base64.encodeToString(hash);
    }
}
