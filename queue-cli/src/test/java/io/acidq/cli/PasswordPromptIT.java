package io.acidq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The password prompt of the jar, on a pseudo terminal. */
class PasswordPromptIT {

    private static final String SECRET = "typed-Secret-1";
    private static final Path TERMINALS = Path.of("/usr/bin/script");
    private static final Path SESSIONS = Path.of("/usr/bin/setsid");

    /** Regression: with redirected output the password was echoed, and the prompt was part of the output. */
    @Test
    void doesNotEchoWhenTheOutputIsRedirected(@TempDir Path folder) throws Exception {
        assertThat(TERMINALS).as("of bsdutils or util-linux").exists();
        TestDatabase database = TestServers.get(ServerKind.MYSQL).createDatabase();
        Schema.create(new DirectDataSource(database.jdbcUrl(), database.username(), database.password()));
        execute(database, "CREATE USER asked@'%' IDENTIFIED BY '" + SECRET + "'", "GRANT ALL ON *.* TO asked@'%'");
        Path out = folder.resolve("out");
        Path terminal = folder.resolve("terminal");
        String command =
                String.join(" ", command("--json", "--user", "asked", "--url", "'" + database.jdbcUrl() + "'"));
        try {
            Process process = new ProcessBuilder(
                            TERMINALS.toString(), "-qefc", command + " > " + out, terminal.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() ->
                            Files.exists(terminal) && Files.readString(terminal).contains("Password: "));
            process.getOutputStream().write((SECRET + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(terminal)).isZero();
        } finally {
            execute(database, "DROP USER asked@'%'");
        }
        assertThat(Files.readString(terminal)).doesNotContain(SECRET);
        assertThat(new JsonMapper().readTree(Files.readString(out)).has("queues"))
                .isTrue();
    }

    @Test
    void isRefusedWithoutATerminal(@TempDir Path folder) throws Exception {
        assertThat(SESSIONS).as("of util-linux").exists();
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(
                        SESSIONS.toString(),
                        "--wait",
                        "sh",
                        "-c",
                        String.join(" ", command("--url", "jdbc:mysql://127.0.0.1:1/d")))
                .redirectError(err.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(err))
                .contains("no terminal here", "ACIDQ_PASSWORD")
                .hasLineCount(1);
        assertThat(process.exitValue()).isEqualTo(2);
    }

    private static String[] command(String... options) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String jar = Path.of("target", "acidq.jar").toAbsolutePath().toString();
        String[] all = new String[options.length + 5];
        System.arraycopy(new String[] {java, "-jar", jar, "queues", "--password"}, 0, all, 0, 5);
        System.arraycopy(options, 0, all, 5, options.length);
        return all;
    }

    private static void execute(TestDatabase database, String... sql) throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        }
    }
}
