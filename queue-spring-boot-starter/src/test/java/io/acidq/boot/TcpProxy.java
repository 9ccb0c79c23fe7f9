package io.acidq.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between an application and its server, which can interrupt their connections. */
final class TcpProxy implements AutoCloseable {

    private final InetSocketAddress server;
    private final ServerSocket serverSocket;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    TcpProxy(InetSocketAddress server) {
        this.server = server;
        try {
            serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    InetSocketAddress address() {
        return InetSocketAddress.createUnresolved("127.0.0.1", serverSocket.getLocalPort());
    }

    /** Breaks all connections; new ones are closed at once. */
    void cut() {
        cut = true;
        open.forEach(TcpProxy::close);
    }

    void mend() {
        cut = false;
    }

    @Override
    public void close() {
        cut();
        close(serverSocket);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = serverSocket.accept();
                if (cut) {
                    close(client);
                    continue;
                }
                Socket behind = new Socket(server.getHostString(), server.getPort());
                open.add(client);
                open.add(behind);
                start(() -> pump(client, behind));
                start(() -> pump(behind, client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one side is closed; close the other too
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private static void close(java.io.Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // already closed
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
