package io.acidq.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.doctor.Doctor.FindingCollector;
import io.acidq.doctor.Report.Finding;
import io.acidq.doctor.Report.Finding.Level;
import io.acidq.store.ServerStore.SessionInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksTest {

    private static final Instant NOW = Instant.parse("2031-05-01T12:00:00Z");
    private static final String GOOD =
            "jdbc:mysql://shop/db?socketTimeout=60000&connectTimeout=5000&useLocalSessionState=true"
                    + "&rewriteBatchedStatements=true&cachePrepStmts=true";

    private static List<Finding> findings(Consumer<FindingCollector> check) {
        List<Finding> findings = new ArrayList<>();
        check.accept(new FindingCollector(Check.SERVER, findings));
        return findings;
    }

    private static SessionInfo session(String isolation) {
        return new SessionInfo("", "driver", "server", NOW, "UTC", isolation);
    }

    private static List<Finding> driver(String url) {
        return findings(f -> DriverOptionsCheck.run(url, f));
    }

    private static List<Finding> settings(Map<String, String> settings) {
        return findings(f -> ServerSettingsCheck.run(settings, 1024 * 1024, f));
    }

    private static Finding clock(Instant here) {
        return findings(f -> DatabaseChecks.clock(session(""), here, f)).get(0);
    }

    @ParameterizedTest
    @CsvSource({GOOD, "jdbc:mariadb://shop/db?socketTimeout=60000", "jdbc:h2:mem:x"})
    void acceptsAUrlWithoutHarmfulOptions(String url) {
        assertThat(driver(url)).extracting(Finding::level).containsExactly(Level.OK);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                GOOD + "&autoReconnect=true | PROBLEM | autoReconnect",
                GOOD + "&AUTORECONNECT=yes | PROBLEM | autoReconnect",
                GOOD + "&autoReconnectForPools=true | PROBLEM | autoReconnectForPools",
                GOOD + "&transactionReplay=true | PROBLEM | transactionReplay",
                GOOD + "&useLocalTransactionState=true | WARNING | useLocalTransactionState",
                GOOD + "&allowMultiQueries=true | WARNING | allowMultiQueries",
                GOOD + "&useServerPrepStmts=true | WARNING | useServerPrepStmts",
                GOOD + "&sessionVariables=autocommit=0 | WARNING | autocommit",
                GOOD + "&sessionVariables=sql_safe_updates=1 | WARNING | sql_safe_updates",
                "jdbc:mysql://address=(host=h)(port=3306)(autoReconnect=true)/shop?socketTimeout=1000 | PROBLEM | autoReconnect",
                "jdbc:mysql://shop/db?connectTimeout=1 | WARNING | socketTimeout is not set",
                "jdbc:mysql://shop/db?socketTimeout=1 | WARNING | connectTimeout is not set",
                "jdbc:mysql:loadbalance://a,b/db?socketTimeout=1&connectTimeout=1 | WARNING | several servers",
                "jdbc:mysql:replication://a,b/db?socketTimeout=1&connectTimeout=1 | WARNING | replicas",
                "jdbc:mariadb:replication://a,b/db?socketTimeout=1&connectTimeout=1 | WARNING | replicas",
            })
    void namesAHarmfulOption(String url, Level level, String name) {
        Finding finding = driver(url).get(0);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.found()).contains(name);
    }

    @Test
    void neverReportsTheValueOfAnOption() {
        assertThat(driver("jdbc:mysql://h/db?user=me&password=Secret"))
                .isNotEmpty()
                .noneMatch(f -> f.toString().contains("Secret"));
    }

    @Test
    void findsClaimsAtAnotherLevelThanReadCommitted() {
        assertThat(findings(f -> DatabaseChecks.isolation(session("REPEATABLE-READ"), f)))
                .singleElement()
                .satisfies(f -> assertThat(f.level()).isEqualTo(Level.PROBLEM))
                .satisfies(f -> assertThat(f.found()).contains("REPEATABLE READ"));
    }

    @ParameterizedTest
    @CsvSource({
        "innodb_flush_log_at_trx_commit, 2, WARNING",
        "sync_binlog, 0, WARNING",
        "innodb_rollback_on_timeout, ON, WARNING",
        "innodb_lock_wait_timeout, 600, WARNING",
        "binlog_format, STATEMENT, PROBLEM",
        "max_allowed_packet, 1048576, PROBLEM",
        "read_only, ON, PROBLEM",
        "super_read_only, ON, PROBLEM",
        "innodb_read_only, ON, PROBLEM",
        "innodb_flush_log_at_trx_commit, 1, OK",
        "binlog_format, ROW, OK",
        "read_only, OFF, OK",
    })
    void checksTheSettingsOfTheServer(String name, String value, Level level) {
        assertThat(settings(Map.of("log_bin", "ON", name, value)))
                .extracting(Finding::level)
                .containsExactly(level);
        assertThat(ServerSettingsCheck.names()).contains(name);
    }

    @Test
    void ignoresTheSettingsOfABinaryLogThatIsOff() {
        assertThat(settings(Map.of("log_bin", "OFF", "binlog_format", "STATEMENT", "sync_binlog", "0")))
                .extracting(Finding::level)
                .containsExactly(Level.OK);
    }

    @Test
    void warnsOfDifferentClocks() {
        assertThat(clock(NOW.minusSeconds(4)).level()).isEqualTo(Level.OK);
        Finding different = clock(NOW.minusSeconds(60));
        assertThat(different.level()).isEqualTo(Level.WARNING);
        assertThat(different.found()).contains("60 s apart", "2031-05-01T12:00:00Z");
    }

    @Test
    void refusesInvalidOptions() {
        DoctorOptions options = DoctorOptions.of(Clock.fixed(NOW, ZoneOffset.UTC));
        assertThatThrownBy(() -> options.withPoolSize(0)).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> options.withWatchTime(Duration.ofDays(1))).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> options.withLongTransaction(Duration.ZERO)).isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void knowsTheWorstFindingOfAReport() {
        Finding ok = new Finding(Check.CLOCK, Level.OK, "a", "");
        Finding bad = new Finding(Check.LOCKS, Level.PROBLEM, "b", "c");
        assertThat(new Report(List.of(ok)).worst()).isEqualTo(Level.OK);
        assertThat(new Report(List.of(ok, bad)).worst()).isEqualTo(Level.PROBLEM);
        assertThat(new Report(List.of(ok, bad)).of(Check.CLOCK)).containsExactly(ok);
    }
}
