package io.acidq.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A separate process stands for the build, so that the test can end it. */
class KeeperIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    private Process maven;
    private ProcessIdentity build;

    @BeforeEach
    void beginBuild() throws Exception {
        maven = new ProcessBuilder("sleep", "3600").start();
        build = ProcessIdentity.of(maven.toHandle());
    }

    @AfterEach
    void endBuild() {
        maven.destroyForcibly();
        await().atMost(LONG).until(() -> !Files.exists(folder()));
    }

    @Test
    void endsItsServerWhenTheBuildIsKilled() throws Exception {
        TestServer server = SharedBuildServer.of(build, ServerKind.MARIADB, 1);
        ProcessHandle keeper = keeper();
        assertThat(answers(server)).isTrue();

        maven.destroyForcibly();

        await().atMost(LONG).until(() -> !keeper.isAlive());
        assertThat(answers(server)).isFalse();
        assertThat(folder()).doesNotExist();
    }

    @Test
    void takesItsServerAlongWhenItIsKilledAndIsReplaced() throws Exception {
        TestServer server = SharedBuildServer.of(build, ServerKind.MARIADB, 1);

        keeper().destroyForcibly();

        await().atMost(LONG).until(() -> !answers(server));
        assertThat(answers(SharedBuildServer.of(build, ServerKind.MARIADB, 1))).isTrue();
    }

    private Path folder() {
        return KeeperFolder.of(build, ServerKind.MARIADB, 1).path();
    }

    private ProcessHandle keeper() throws Exception {
        Path announced = folder().resolve("server");
        long pid = ProcessIdentity.parse(Files.readAllLines(announced).get(0)).pid();
        return ProcessHandle.of(pid).orElseThrow();
    }

    private static boolean answers(TestServer server) {
        try {
            server.connect("").close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
