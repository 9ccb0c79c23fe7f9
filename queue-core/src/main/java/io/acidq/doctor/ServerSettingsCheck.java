package io.acidq.doctor;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the server on which promises rest.
 *
 * @param settings by their names, as far as the server knows them
 */
record ServerSettingsCheck(Map<String, String> settings, int maxPayloadBytes) implements DoctorCheck {

    private static final String FLUSH = "innodb_flush_log_at_trx_commit";
    private static final String SYNC = "sync_binlog";
    private static final String LOG_BIN = "log_bin";
    private static final String FORMAT = "binlog_format";
    private static final String WAIT = "innodb_lock_wait_timeout";
    private static final String TIMEOUT_ROLLS_BACK = "innodb_rollback_on_timeout";
    private static final String PACKET = "max_allowed_packet";
    private static final List<String> READ_ONLY = List.of("read_only", "super_read_only", "innodb_read_only");
    private static final int LONGEST_WAIT_SECONDS = 120;

    /** What a statement holds beside the payload. */
    private static final long PACKET_OVERHEAD = 64 * 1024;

    /** The settings that are looked at. */
    static List<String> names() {
        return Stream.concat(
                        Stream.of(FLUSH, SYNC, LOG_BIN, FORMAT, WAIT, TIMEOUT_ROLLS_BACK, PACKET), READ_ONLY.stream())
                .toList();
    }

    @Override
    public void run(FindingCollector findings) {
        writes(settings, findings);
        durability(settings, findings);
        waits(settings, findings);
        packet(findings);
        findings.okIfNothing(
                settings.isEmpty()
                        ? "this server has no settings that are looked at"
                        : "its settings are those under which the promises hold");
    }

    private static void writes(Map<String, String> settings, FindingCollector findings) {
        for (String name : READ_ONLY) {
            if (isOn(settings.get(name))) {
                findings.problem(
                        name + " is ON: this server takes no writes of ordinary accounts",
                        "use the URL of the server that is written to, or set " + name
                                + " = OFF when this is that one");
            }
        }
        if (isOn(settings.get(LOG_BIN)) && "STATEMENT".equalsIgnoreCase(settings.get(FORMAT))) {
            findings.problem(
                    FORMAT
                            + " is STATEMENT: the server refuses writes at READ COMMITTED, at which claims and handlers run",
                    "SET GLOBAL binlog_format = 'ROW' (or MIXED), in the configuration file too");
        }
    }

    private static void durability(Map<String, String> settings, FindingCollector findings) {
        String flush = settings.get(FLUSH);
        if (flush != null && !flush.equals("1")) {
            findings.warning(
                    FLUSH + " is " + flush
                            + ": the last second of commits, messages and acknowledgements among them, is lost when the machine fails",
                    "set it to 1 where that matters");
        }
        String sync = settings.get(SYNC);
        if (isOn(settings.get(LOG_BIN)) && sync != null && !sync.equals("1")) {
            findings.warning(
                    SYNC + " is " + sync
                            + ": when the machine fails, replicas may lack commits that the server has, or the reverse",
                    "set it to 1 where that matters; see docs/en/replication.md");
        }
    }

    private static void waits(Map<String, String> settings, FindingCollector findings) {
        if (isOn(settings.get(TIMEOUT_ROLLS_BACK))) {
            findings.warning(
                    TIMEOUT_ROLLS_BACK
                            + " is ON: a lock wait that runs out rolls back the whole transaction, and a handler that swallows the error"
                            + " goes on outside of it; its acknowledgement is then refused and its work repeated",
                    "set it to OFF, the default");
        }
        String wait = settings.get(WAIT);
        if (wait != null && Long.parseLong(wait) > LONGEST_WAIT_SECONDS) {
            findings.warning(
                    WAIT + " is " + wait
                            + " s: so long a handler that waits for a row keeps its worker and its connection",
                    "set it to some tens of seconds; the default is 50");
        }
    }

    private void packet(FindingCollector findings) {
        String packet = settings.get(PACKET);
        if (packet != null && Long.parseLong(packet) < maxPayloadBytes + PACKET_OVERHEAD) {
            findings.problem(
                    PACKET + " is " + packet + " bytes, and payloads of up to " + maxPayloadBytes
                            + " are accepted: the larger ones fail",
                    "raise it, or lower acidq.max-payload-size (EngineConfig.maxPayloadBytes)");
        }
    }

    private static boolean isOn(@Nullable String value) {
        return "ON".equalsIgnoreCase(value) || "1".equals(value);
    }
}
