package io.acidq.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures the cost of a run: statements by the server's status, which counts those of all clients, and CPU and allocation of this process. The
 * allocation lacks threads that end before {@link #perMessage} is called.
 */
public final class CostMeter {

    /** A kind of statement with fewer than this per message is left out. */
    private static final double MIN_PER_MESSAGE = 0.005;

    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    private static final com.sun.management.ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);

    private final Connection connection;
    private final Map<String, Long> status;
    private final Map<Long, Long> allocated;
    private final long cpu;
    private final long startedAt;

    private CostMeter(Connection connection) throws SQLException {
        this.connection = connection;
        this.allocated = allocated();
        this.status = status(connection);
        this.cpu = PROCESS.getProcessCpuTime();
        this.startedAt = System.nanoTime();
    }

    public static CostMeter start(Connection connection) throws SQLException {
        return new CostMeter(connection);
    }

    /** Nanoseconds since 1970 by the clock of the machine, which is the same for all its processes. */
    public static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    /** The cost since the start for each message. */
    public Map<String, Double> perMessage(long messages) throws SQLException {
        double count = Math.max(1, messages);
        Map<String, Double> figures = new TreeMap<>();
        figures.put("cpuMicrosPerMessage", (PROCESS.getProcessCpuTime() - cpu) / 1e3 / count);
        figures.put("allocatedBytesPerMessage", newlyAllocated() / count);
        statements().forEach((name, executions) -> {
            double each = executions / count;
            if (each >= MIN_PER_MESSAGE || name.equals("questions")) {
                figures.put(name + "PerMessage", each);
            }
        });
        return figures;
    }

    /** The cost since the start for each second, without this method's own query. */
    public Map<String, Double> perSecond() throws SQLException {
        double seconds = (System.nanoTime() - startedAt) / 1e9;
        Map<String, Double> figures = new TreeMap<>();
        figures.put("cpuMillisPerSecond", (PROCESS.getProcessCpuTime() - cpu) / 1e6 / seconds);
        figures.put("allocatedBytesPerSecond", newlyAllocated() / seconds);
        figures.put("queriesPerSecond", (statements().getOrDefault("questions", 1L) - 1) / seconds);
        return figures;
    }

    private Map<String, Long> statements() throws SQLException {
        Map<String, Long> grown = new TreeMap<>();
        status(connection).forEach((name, now) -> grown.put(name, now - status.getOrDefault(name, 0L)));
        return grown;
    }

    private long newlyAllocated() {
        return allocated().entrySet().stream()
                .mapToLong(thread -> thread.getValue() - allocated.getOrDefault(thread.getKey(), 0L))
                .sum();
    }

    private static Map<Long, Long> allocated() {
        long[] threads = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(threads);
        Map<Long, Long> allocated = new HashMap<>();
        for (int i = 0; i < threads.length; i++) {
            if (bytes[i] >= 0) {
                allocated.put(threads[i], bytes[i]);
            }
        }
        return allocated;
    }

    /** The number of questions (statements of clients, COMMITs included) and of each kind of statement. */
    private static Map<String, Long> status(Connection connection) throws SQLException {
        Map<String, Long> status = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SHOW GLOBAL STATUS WHERE Variable_name = 'Questions' OR Variable_name LIKE 'Com\\_%'")) {
            while (rows.next()) {
                String value = rows.getString(2);
                if (value.chars().allMatch(Character::isDigit) && !value.isEmpty()) {
                    status.put(camel(rows.getString(1)), Long.parseLong(value));
                }
            }
        }
        return status;
    }

    /** Converts {@code Com_insert} to {@code comInsert}. */
    static String camel(String variable) {
        StringBuilder name = new StringBuilder();
        for (String word : variable.toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(
                    name.isEmpty() || word.isEmpty()
                            ? word
                            : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }
}
