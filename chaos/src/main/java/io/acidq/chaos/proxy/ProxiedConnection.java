package io.acidq.chaos.proxy;

import io.acidq.chaos.proxy.ConnectionBreak.BreakMode;
import io.acidq.chaos.proxy.ConnectionBreak.BreakPoint;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client's connection and the one to the server. One thread for each direction copies the packets. */
final class ProxiedConnection implements AutoCloseable {

    private final Socket client;
    private final Socket server;
    private final ConnectionBreaks connectionBreaks;
    private final Duration silence;
    private final Supplier<Duration> latency;
    private final Consumer<ServerError> onError;
    private final CountDownLatch ended = new CountDownLatch(1);
    private TransactionKind transactionKind = TransactionKind.OTHER;
    private volatile @Nullable ConnectionBreak atAnswer;
    private volatile long silentUntil;
    private volatile boolean silent;

    ProxiedConnection(
            Socket client,
            Socket server,
            ConnectionBreaks connectionBreaks,
            Duration silence,
            Supplier<Duration> latency,
            Consumer<ServerError> onError) {
        this.client = client;
        this.server = server;
        this.connectionBreaks = connectionBreaks;
        this.silence = silence;
        this.latency = latency;
        this.onError = onError;
    }

    void start(Runnable onEnd) {
        daemon(this::fromClient, "proxy-up", () -> {}).start();
        daemon(this::fromServer, "proxy-down", onEnd).start();
    }

    private Thread daemon(Direction direction, String name, Runnable onEnd) {
        Thread thread = new Thread(
                () -> {
                    pump(direction);
                    onEnd.run();
                },
                name);
        thread.setDaemon(true);
        return thread;
    }

    private void pump(Direction direction) {
        try {
            direction.run();
        } catch (IOException e) { // one side has closed, so the other closes too
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            keepSilence();
            close();
        }
    }

    /** During a black hole nothing must reach the other side, not even the end of the connection. */
    private void keepSilence() {
        long left = silent ? silentUntil - System.nanoTime() : 0;
        try {
            ended.await(left, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fromClient() throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        OutputStream out = server.getOutputStream();
        for (Packet packet = Packet.read(in); packet != null; packet = Packet.read(in)) {
            TimeUnit.NANOSECONDS.sleep(latency.get().toNanos());
            ConnectionBreak now = breakAt(packet);
            if (now != null) {
                if (now.breakPoint() == BreakPoint.IN_STATEMENT) {
                    out.write(packet.bytes(), 0, packet.bytes().length / 2);
                    out.flush();
                }
                end(now.breakMode());
                return;
            }
            pass(packet, out);
        }
    }

    private void pass(Packet packet, OutputStream out) throws IOException {
        if (!silent) {
            out.write(packet.bytes());
            out.flush();
        }
    }

    /** Takes a break before the packet reaches the server. A break at its answer is left to the other direction. */
    private @Nullable ConnectionBreak breakAt(Packet packet) {
        TransactionKind before = transactionKind;
        String statement = packet.statement();
        if (statement.isEmpty()) {
            return null;
        }
        if (packet.isCommit()) {
            transactionKind = TransactionKind.OTHER;
            atAnswer = connectionBreaks.take(before, BreakPoint.AFTER_COMMIT);
            return atAnswer == null ? connectionBreaks.take(before, BreakPoint.BEFORE_COMMIT) : null;
        }
        transactionKind = packet.isRollback() ? TransactionKind.OTHER : before.then(statement);
        return transactionKind == before ? null : connectionBreaks.take(transactionKind, BreakPoint.IN_STATEMENT);
    }

    private void fromServer() throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
        OutputStream out = client.getOutputStream();
        Packet packet = Packet.read(in);
        long connection = packet == null ? 0 : packet.connection();
        for (; packet != null; packet = Packet.read(in)) {
            ConnectionBreak now = atAnswer;
            if (now != null) {
                end(now.breakMode());
                return;
            }
            pass(packet, out);
            if (packet.error() != 0) {
                onError.accept(new ServerError(connection, packet.error()));
            }
        }
    }

    private void end(BreakMode breakMode) throws IOException {
        if (breakMode != BreakMode.CUT) {
            silentUntil = System.nanoTime() + silence.toNanos();
            silent = true;
        }
        if (breakMode == BreakMode.HALF_OPEN) {
            server.close();
        }
    }

    boolean isSilent() {
        return silent;
    }

    /** Cuts both sides; a client that waits for an answer gets an error. */
    @Override
    public void close() {
        ended.countDown();
        for (Socket side : new Socket[] {client, server}) {
            try {
                side.close();
            } catch (IOException e) { // closed nevertheless
            }
        }
    }

    /** One direction of the traffic. */
    private interface Direction {
        void run() throws IOException, InterruptedException;
    }

    /**
     * An error that a server returned.
     *
     * @param connection the connection's id on the server; 0 if it was refused
     */
    record ServerError(long connection, int code) {}
}
