package io.acidq.doctor;

import io.acidq.doctor.Doctor.FindingCollector;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The check of the server's settings on which the guarantees of AcidQ depend. */
final class ServerSettingsCheck {

    private static final String FLUSH = "innodb_flush_log_at_trx_commit";
    private static final String SYNC = "sync_binlog";
    private static final String LOG_BIN = "log_bin";
    private static final String FORMAT = "binlog_format";
    private static final String WAIT = "innodb_lock_wait_timeout";
    private static final String TIMEOUT_ROLLS_BACK = "innodb_rollback_on_timeout";
    private static final String PACKET = "max_allowed_packet";
    private static final List<String> READ_ONLY = List.of("read_only", "super_read_only", "innodb_read_only");
    private static final int LONGEST_WAIT_SECONDS = 120;

    /** The size of a statement without its payload. */
    private static final long PACKET_OVERHEAD = 64 * 1024;

    private ServerSettingsCheck() {}

    /** Returns the names of the settings that are checked. */
    static List<String> names() {
        return Stream.concat(
                        Stream.of(FLUSH, SYNC, LOG_BIN, FORMAT, WAIT, TIMEOUT_ROLLS_BACK, PACKET), READ_ONLY.stream())
                .toList();
    }

    /**
     * Runs the check.
     *
     * @param settings the settings by name, without those that the server does not have
     */
    static void run(Map<String, String> settings, int maxPayloadBytes, FindingCollector findings) {
        writes(settings, findings);
        durability(settings, findings);
        waits(settings, findings);
        packet(settings, maxPayloadBytes, findings);
        findings.okIfNothing(
                settings.isEmpty()
                        ? "this server has none of the settings that are checked"
                        : "the settings of the server are as the guarantees need them");
    }

    private static void writes(Map<String, String> settings, FindingCollector findings) {
        for (String name : READ_ONLY) {
            if (isOn(settings.get(name))) {
                findings.problem(
                        name + " is ON: the server accepts no writes of ordinary accounts",
                        "use the URL of the server that gets the writes, or set " + name + " = OFF");
            }
        }
        if (isOn(settings.get(LOG_BIN)) && "STATEMENT".equalsIgnoreCase(settings.get(FORMAT))) {
            findings.problem(
                    FORMAT
                            + " is STATEMENT: the server refuses writes at READ COMMITTED, the level of claims and handlers",
                    "SET GLOBAL binlog_format = 'ROW' (or MIXED), and set it in the configuration file too");
        }
    }

    private static void durability(Map<String, String> settings, FindingCollector findings) {
        String flush = settings.get(FLUSH);
        if (flush != null && !flush.equals("1")) {
            findings.warning(
                    FLUSH + " is " + flush
                            + ": if the machine fails, the commits of the last second are lost, including messages and acknowledgements",
                    "set it to 1 if that matters");
        }
        String sync = settings.get(SYNC);
        if (isOn(settings.get(LOG_BIN)) && sync != null && !sync.equals("1")) {
            findings.warning(
                    SYNC + " is " + sync
                            + ": if the machine fails, replicas may lack commits that the server has, or the reverse",
                    "set it to 1 if that matters; see docs/en/operations.md#replication-and-failover");
        }
    }

    private static void waits(Map<String, String> settings, FindingCollector findings) {
        if (isOn(settings.get(TIMEOUT_ROLLS_BACK))) {
            findings.warning(
                    TIMEOUT_ROLLS_BACK
                            + " is ON: a lock timeout rolls back the whole transaction, and a handler that catches the error continues"
                            + " outside of it; its acknowledgement is then refused and its work repeated",
                    "set it to OFF, the default");
        }
        String wait = settings.get(WAIT);
        if (wait != null && Long.parseLong(wait) > LONGEST_WAIT_SECONDS) {
            findings.warning(
                    WAIT + " is " + wait
                            + " s: a handler that waits for a row lock occupies its worker and its connection for this time",
                    "set it to less than a minute; the default is 50");
        }
    }

    private static void packet(Map<String, String> settings, int maxPayloadBytes, FindingCollector findings) {
        String packet = settings.get(PACKET);
        if (packet != null && Long.parseLong(packet) < maxPayloadBytes + PACKET_OVERHEAD) {
            findings.problem(
                    PACKET + " is " + packet + " bytes, and payloads of up to " + maxPayloadBytes
                            + " are accepted: larger ones fail",
                    "raise it, or lower acidq.max-payload-size (EngineConfig.maxPayloadBytes)");
        }
    }

    private static boolean isOn(@Nullable String value) {
        return "ON".equalsIgnoreCase(value) || "1".equals(value);
    }
}
