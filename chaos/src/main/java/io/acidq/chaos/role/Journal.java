package io.acidq.chaos.role;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a process says it will do and has done, outside of the database. A line is with the operating system when the call returns, so it
 * survives any end of the process; it is not synced to the disk, since the machine is not among those that are killed. Thread-safe.
 */
public final class Journal implements AutoCloseable {

    private final FileChannel file;

    private Journal(FileChannel file) {
        this.file = file;
    }

    /** Appends to a file. */
    public static Journal open(Path path) {
        try {
            return new Journal(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException("journal " + path, e);
        }
    }

    /** One line, its words separated by tabs. */
    public void write(Phase phase, Object... words) {
        StringBuilder line = new StringBuilder().append(phase.letter());
        for (Object word : words) {
            line.append('\t').append(word);
        }
        ByteBuffer bytes = ByteBuffer.wrap(line.append('\n').toString().getBytes(UTF_8));
        try {
            synchronized (this) {
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("journal", e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("journal", e);
        }
    }

    /** What a line says. */
    public enum Phase {
        /** Will be enqueued: key, ordering key, seq, deed. */
        INTENT('I'),
        /** Its transaction has committed. */
        OK('O'),
        /** Its transaction has not committed. */
        FAILED('F'),
        /** Its transaction may have committed. */
        UNKNOWN('U'),
        /** A handler begins: key, attempt, deaths, claim number, node. */
        START('S');

        private final char letter;

        Phase(char letter) {
            this.letter = letter;
        }

        public char letter() {
            return letter;
        }
    }
}
