package io.acidq.chaos.role;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.telemetry.Telemetry;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A record of what a process is about to do and has done, outside of the database. A written line survives the end of the process. It is not synced
 * to the disk, because no fault kills the machine. Thread-safe.
 */
public final class Journal implements AutoCloseable {

    /** The result of a handler that reported success. */
    public static final String DONE = "done";

    /** The result of a handler that threw. */
    public static final String THREW = "threw";

    private final FileOutputStream file; // the first write of an interrupted thread would close a channel

    private Journal(FileOutputStream file) {
        this.file = file;
    }

    /** Opens a file to append to. */
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

    /** Writes one line with its words separated by tabs. */
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

    /** Telemetry that writes down how an engine releases messages. */
    public Telemetry telemetry() {
        return new Telemetry() {
            @Override
            public void finished(MessageId id, Outcome outcome, Duration took) {
                if (outcome instanceof Outcome.Retry) {
                    write(Phase.RETRIED, id, now());
                }
            }

            @Override
            public void requeued(MessageId id, Throwable failure) {
                write(Phase.REQUEUED, id, now());
            }
        };
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("journal", e);
        }
    }

    /** The kind of a line. */
    public enum Phase {
        /** A message is about to be enqueued: key, ordering key, seq, action, whether it has a receipt, milliseconds from the due time to the expiry or 0. */
        INTENT('I'),
        /** Its transaction has committed. */
        OK('O'),
        /** Its transaction has not committed. */
        FAILED('F'),
        /** Its transaction may have committed. */
        UNKNOWN('U'),
        /** The answer of the receipt after a transaction that may have committed: key, YES or NO. */
        ANSWERED('A'),
        /** An operator is about to cancel a message: key. */
        CANCELLING('C'),
        /** The answer to the operator: key, a {@code CancelResult} or DEAD, time. */
        CANCELLED('K'),
        /** A handler starts: key, attempt, crashes, claim number, node, message id, time. */
        START('S'),
        /** A handler has returned: key, claim number, node, time, result. */
        RETURNED('R'),
        /** A handler has swallowed a deadlock of its transaction: key, claim number, node. */
        SWALLOWED('D'),
        /** A retry, which counts as an attempt, was recorded: message id, time. */
        RETRIED('T'),
        /** A message was requeued, which does not count as an attempt: message id, time. */
        REQUEUED('G'),
        /** Engine and pool were closed on request: names of their remaining threads. */
        STOPPED('E'),
        /** The process was asked to stop, did not within a minute, and was killed. Written by the process that killed it. */
        HUNG('H');

        private final char code;

        Phase(char code) {
            this.code = code;
        }

        public char code() {
            return code;
        }
    }
}
