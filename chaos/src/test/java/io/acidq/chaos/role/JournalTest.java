package io.acidq.chaos.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.chaos.role.Journal.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    @TempDir
    private Path folder;

    /** A handler that was interrupted at its time limit closed the file for all others, and their lines were lost. */
    @Test
    void writesAfterAWriteOfAnInterruptedThread() throws IOException {
        Path file = folder.resolve("a.journal");
        try (Journal journal = Journal.open(file)) {
            Thread.currentThread().interrupt();
            journal.write(Phase.OK, "a");
            assertThat(Thread.interrupted()).isTrue();
            journal.write(Phase.OK, "b");
        }
        assertThat(Files.readAllLines(file)).containsExactly("O\ta", "O\tb");
    }
}
