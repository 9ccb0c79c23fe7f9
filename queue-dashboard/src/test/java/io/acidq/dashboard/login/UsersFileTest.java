package io.acidq.dashboard.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file with the users of the command line's dashboard, and their hashes. */
class UsersFileTest {

    private static final String HASH = PasswordHash.of("correct horse").toString();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("users");
    }

    @Test
    void knowsItsUsersByTheirPasswords() throws IOException {
        Files.writeString(
                file, "# users\n\nann:operator:" + HASH + "\r\nvic:VIEWER:" + PasswordHash.of("battery staple") + "\n");
        UsersFile users = UsersFile.read(file);

        assertThat(users.signIn("ann", "correct horse")).isEqualTo(User.of("ann", Level.OPERATOR));
        assertThat(users.signIn("vic", "battery staple")).isEqualTo(User.of("vic", Level.VIEWER));
        assertThat(users.signIn("ann", "battery staple")).isNull();
        assertThat(users.signIn("bob", "correct horse")).isNull();
    }

    @Test
    void aPasswordHasAnotherHashEachTime() {
        assertThat(PasswordHash.of("correct horse").toString()).isNotEqualTo(HASH);
    }

    @Test
    void eachChangeIsNoticedAndIsAnotherVersion() throws IOException {
        Files.writeString(file, "ann:operator:" + HASH);
        UsersFile users = UsersFile.read(file);
        Object first = users.version();
        assertThat(users.version()).isSameAs(first);

        Files.writeString(file, "ann:viewer:" + HASH);

        assertThat(users.version()).isNotSameAs(first);
        assertThat(users.signIn("ann", "correct horse")).isEqualTo(User.of("ann", Level.VIEWER));
    }

    @Test
    void whileItCannotBeReadNobodyMaySignIn() throws IOException {
        Files.writeString(file, "ann:operator:" + HASH);
        UsersFile users = UsersFile.read(file);
        Object first = users.version();

        Files.delete(file);
        assertThat(users.version()).isNotSameAs(first);
        assertThat(users.signIn("ann", "correct horse")).isNull();
        Files.writeString(file, "ann:operator:nonsense");
        assertThat(users.signIn("ann", "correct horse")).isNull();

        Files.writeString(file, "ann:operator:" + HASH);
        assertThat(users.signIn("ann", "correct horse")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "ann, line 1: a line must be name:level:hash",
        "ann:operator, line 1: a line must be name:level:hash",
        ":operator:HASH, line 1: a line must be name:level:hash",
        "ann:root:HASH, 'line 1: the level of ''ann'' must be viewer, operator or admin, was ''root'''",
        "ann:operator:correct horse, line 1: the hash is not one that 'acidq dashboard --hash' writes",
        "ann:operator:pbkdf2-sha256:1000:AAAAAAAAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA, line 1: the hash is not one",
        "ann:operator:HASH|ann:viewer:HASH, line 2: there is a second user 'ann'",
        "# nobody, it has no user",
    })
    void refusesAWrongLineWithoutShowingItsHash(String text, String message) throws IOException {
        Files.writeString(file, text.replace("HASH", HASH).replace('|', '\n'));

        assertThatThrownBy(() -> UsersFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("correct horse");
    }
}
