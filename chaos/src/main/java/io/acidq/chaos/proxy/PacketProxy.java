package io.acidq.chaos.proxy;

import io.acidq.chaos.proxy.ProxiedConnection.ServerError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy on a free port of 127.0.0.1. It reads the traffic, which must not be encrypted or compressed ({@code sslMode=DISABLED}). Thread-safe.
 */
public final class PacketProxy implements AutoCloseable {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int CONNECT_MILLIS = 5000;
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final ConnectionBreaks connectionBreaks;
    private final Duration silence;
    private final ServerSocket listening;
    private final Set<ProxiedConnection> proxiedConnections = ConcurrentHashMap.newKeySet();
    private final Map<ServerError, Integer> errors = new ConcurrentHashMap<>();
    private final AtomicLong delayed = new AtomicLong();
    private volatile InetSocketAddress server;
    private volatile Duration latency = Duration.ZERO;

    private PacketProxy(
            InetSocketAddress server, ConnectionBreaks connectionBreaks, Duration silence, ServerSocket listening) {
        this.server = server;
        this.connectionBreaks = connectionBreaks;
        this.silence = silence;
        this.listening = listening;
    }

    /** Starts to listen. The server is first needed for a connection. */
    public static PacketProxy before(InetSocketAddress server, ConnectionBreaks connectionBreaks) {
        return before(server, connectionBreaks, SILENCE);
    }

    /**
     * Starts to listen.
     *
     * @param silence the duration of a black hole
     */
    public static PacketProxy before(InetSocketAddress server, ConnectionBreaks connectionBreaks, Duration silence) {
        try {
            ServerSocket listening = new ServerSocket(0, 200, InetAddress.getByAddress(LOOPBACK));
            PacketProxy proxy = new PacketProxy(server, connectionBreaks, silence, listening);
            Thread accepting = new Thread(proxy::accept, "proxy-accept");
            accepting.setDaemon(true);
            accepting.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("no port for a proxy on 127.0.0.1", e);
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Delays each packet of a client from now on. */
    public void slowDown(Duration perPacket) {
        latency = perPacket;
    }

    private Duration delay() {
        Duration now = latency;
        if (!now.isZero()) {
            delayed.incrementAndGet();
        }
        return now;
    }

    /** The number of delayed packets. */
    public long delayed() {
        return delayed.get();
    }

    /**
     * How often the server has answered with this error.
     *
     * @param connection the connection's id on the server; 0 for refused connections
     */
    public int errors(long connection, int code) {
        return errors.getOrDefault(new ServerError(connection, code), 0);
    }

    /** Moves to another server, like an address after a failover. Cuts all connections to the old server. */
    public void moveTo(InetSocketAddress other) {
        server = other;
        cutAll();
    }

    /** Cuts all open connections and returns their number. */
    public int cutAll() {
        int cut = proxiedConnections.size();
        proxiedConnections.forEach(ProxiedConnection::close);
        proxiedConnections.clear();
        return cut;
    }

    /** Ends all black holes before their time: cuts the connections whose packets vanish. */
    public void endBlackHoles() {
        proxiedConnections.stream().filter(ProxiedConnection::isSilent).forEach(ProxiedConnection::close);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException e) { // closed, or the server is not available and the client sees its connection end
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket behind = new Socket();
        try {
            InetSocketAddress to = server;
            behind.connect(new InetSocketAddress(to.getHostString(), to.getPort()), CONNECT_MILLIS);
            behind.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            ProxiedConnection proxiedConnection = new ProxiedConnection(
                    client,
                    behind,
                    connectionBreaks,
                    silence,
                    this::delay,
                    error -> errors.merge(error, 1, Integer::sum));
            proxiedConnections.add(proxiedConnection);
            proxiedConnection.start(() -> proxiedConnections.remove(proxiedConnection));
            if (!to.equals(server)) { // a concurrent moveTo may have missed this connection
                proxiedConnection.close();
            }
        } catch (IOException e) {
            behind.close();
            client.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) { // closed all the same
        }
        cutAll();
    }
}
