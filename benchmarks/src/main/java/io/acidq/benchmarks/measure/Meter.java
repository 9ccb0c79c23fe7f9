package io.acidq.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run costs: statements by the server's status (all clients', so nobody else may use it), CPU and allocation of this process. Threads that
 * end before {@link #perMessage} is called are missing in the allocation.
 */
public final class Meter {

    /** Below this many a message, a kind of statement is not named. */
    private static final double WORTH_NAMING = 0.005;

    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    private static final com.sun.management.ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);

    private final Connection connection;
    private final Map<String, Long> status;
    private final Map<Long, Long> allocated;
    private final long cpu;
    private final long began;

    private Meter(Connection connection) throws SQLException {
        this.connection = connection;
        this.allocated = allocated();
        this.status = status(connection);
        this.cpu = PROCESS.getProcessCpuTime();
        this.began = System.nanoTime();
    }

    public static Meter start(Connection connection) throws SQLException {
        return new Meter(connection);
    }

    /** Since the start, by message. */
    public Map<String, Double> perMessage(long messages) throws SQLException {
        double many = Math.max(1, messages);
        Map<String, Double> figures = new TreeMap<>();
        figures.put("cpuMicrosPerMessage", (PROCESS.getProcessCpuTime() - cpu) / 1e3 / many);
        figures.put("allocatedBytesPerMessage", newlyAllocated() / many);
        statements().forEach((name, count) -> {
            double each = count / many;
            if (each >= WORTH_NAMING || name.equals("questions")) {
                figures.put(name + "PerMessage", each);
            }
        });
        return figures;
    }

    /** Since the start, by second; its own question is not counted. */
    public Map<String, Double> perSecond() throws SQLException {
        double seconds = (System.nanoTime() - began) / 1e9;
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

    /** Questions (statements of clients, COMMITs included), and each kind of them. */
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

    /** {@code comInsert} for {@code Com_insert}. */
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
