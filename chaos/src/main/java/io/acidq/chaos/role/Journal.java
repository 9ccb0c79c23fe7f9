package io.acidq.chaos.role;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * What a process says it will do and has done, outside of the database. A line is with the operating system when the call returns, so it
 * survives any end of the process; it is not synced to the disk, since the machine is not among those that are killed. Thread-safe.
 */
public final class Journal implements AutoCloseable {

    /** How a handler returned that says that it is done. */
    public static final String DONE = "done";

    /** How a handler returned that threw. */
    public static final String THREW = "threw";

    private final FileOutputStream file; // a channel would be closed by the first interrupted thread that writes

    private Journal(FileOutputStream file) {
        this.file = file;
    }

    /** Appends to a file. */
    public static Journal open(Path path) {
        try {
            return new Journal(new FileOutputStream(path.toFile(), true));
        } catch (IOException e) {
            throw new UncheckedIOException("journal " + path, e);
        }
    }

    /** The machine's monotonic clock, which is the same for all its processes. */
    static long now() {
        return System.nanoTime();
    }

    /** One line, its words separated by tabs. */
    public void write(Phase phase, Object... words) {
        StringBuilder line = new StringBuilder().append(phase.code());
        for (Object word : words) {
            line.append('\t').append(word);
        }
        byte[] bytes = line.append('\n').toString().getBytes(UTF_8);
        try {
            synchronized (this) {
                file.write(bytes);
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
        /** A handler begins: key, attempt, crashes, claim number, node, message id, time. */
        START('S'),
        /** A handler has returned: key, claim number, node, time, and whether it says that it is done or throws. */
        RETURNED('R'),
        /** A handler swallows that its transaction was the victim of a deadlock: key, claim number, node. */
        SWALLOWED('D'),
        /** A retry, which counts as an attempt, has been written: message id, time. */
        RETRIED('T'),
        /** A message has been given back with its attempt: message id, time. */
        REQUEUED('G'),
        /** Engine and pool were closed as told: the names of the threads of theirs that are left. */
        STOPPED('E'),
        /** Written by whoever had told the process to stop: it had not within a minute, and was killed. */
        HUNG('H');

        private final char code;

        Phase(char letter) {
            this.code = letter;
        }

        public char code() {
            return code;
        }
    }
}
