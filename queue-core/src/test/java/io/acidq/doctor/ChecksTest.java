package io.acidq.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.store.ServerStore.SessionInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {

    private static final Instant NOW = Instant.parse("2031-05-01T12:00:00Z");
    private static final String GOOD =
            "jdbc:mysql://shop/db?socketTimeout=60000&connectTimeout=5000&useLocalSessionState=true"
                    + "&rewriteBatchedStatements=true&cachePrepStmts=true";

    private static List<Finding> findings(Check check, DoctorCheck doctorCheck) {
        List<Finding> findings = new ArrayList<>();
        doctorCheck.run(new FindingCollector(check, findings));
        return findings;
    }

    private static SessionInfo session(String url, String isolation) {
        return new SessionInfo(url, "driver", "server", NOW, "UTC", isolation);
    }

    private static Finding driver(String url) {
        return findings(Check.DRIVER, new DriverOptionsCheck(session(url, "READ-COMMITTED")))
                .get(0);
    }

    @Test
    void findsNothingInAnUrlThatDoesNoHarm() {
        assertThat(driver(GOOD).level()).isEqualTo(Level.OK);
        assertThat(driver("jdbc:mariadb://shop/db?socketTimeout=60000").level()).isEqualTo(Level.OK);
        assertThat(driver("jdbc:h2:mem:x").level()).isEqualTo(Level.OK);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "&autoReconnect=true | PROBLEM | autoReconnect",
                "&AUTORECONNECT=yes | PROBLEM | autoReconnect",
                "&autoReconnectForPools=true | PROBLEM | autoReconnectForPools",
                "&transactionReplay=true | PROBLEM | transactionReplay",
                "&useLocalTransactionState=true | WARNING | useLocalTransactionState",
                "&allowMultiQueries=true | WARNING | allowMultiQueries",
                "&useServerPrepStmts=true | WARNING | useServerPrepStmts",
                "&sessionVariables=autocommit=0 | WARNING | autocommit",
            })
    void namesTheOptionThatDoesHarm(String more, Level level, String name) {
        Finding finding = driver(GOOD + more);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.found()).contains(name);
    }

    @Test
    void seesTheOptionsOfASingleHost() {
        Finding finding =
                driver("jdbc:mysql://address=(host=h)(port=3306)(autoReconnect=true)/shop?socketTimeout=1000");
        assertThat(finding.level()).isEqualTo(Level.PROBLEM);
        assertThat(finding.found()).contains("autoReconnect");
    }

    @Test
    void asksForTimeouts() {
        assertThat(findings(Check.DRIVER, new DriverOptionsCheck(session("jdbc:mysql://shop/db", "READ-COMMITTED"))))
                .extracting(Finding::found)
                .anySatisfy(f -> assertThat(f).startsWith("socketTimeout is not set"))
                .anySatisfy(f -> assertThat(f).startsWith("connectTimeout is not set"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql:loadbalance://a,b/db?",
                "jdbc:mysql:replication://a,b/db?",
                "jdbc:mariadb:replication://a,b/db?"
            })
    void warnsOfUrlsThatLeadToSeveralServers(String url) {
        assertThat(driver(url + "socketTimeout=1&connectTimeout=1").level()).isEqualTo(Level.WARNING);
    }

    @Test
    void neverTellsWhatAnOptionIsSetTo() {
        assertThat(findings(
                        Check.DRIVER,
                        new DriverOptionsCheck(session("jdbc:mysql://h/db?user=me&password=Secret", "x"))))
                .noneMatch(f -> f.toString().contains("Secret"));
    }

    @Test
    void findsClaimsAtAnotherLevelThanReadCommitted() {
        assertThat(findings(Check.ISOLATION, new DatabaseChecks.Isolation(session("", "REPEATABLE-READ"))))
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
    void judgesTheSettingsOfTheServer(String name, String value, Level level) {
        Map<String, String> settings = Map.of("log_bin", "ON", name, value);
        assertThat(findings(Check.SERVER, new ServerSettingsCheck(settings, 1024 * 1024)))
                .singleElement()
                .satisfies(f -> assertThat(f.level()).isEqualTo(level));
        assertThat(ServerSettingsCheck.names()).contains(name);
    }

    @Test
    void mindsNoBinaryLogWhereThereIsNone() {
        assertThat(findings(
                        Check.SERVER,
                        new ServerSettingsCheck(
                                Map.of("log_bin", "OFF", "binlog_format", "STATEMENT", "sync_binlog", "0"), 1)))
                .singleElement()
                .satisfies(f -> assertThat(f.level()).isEqualTo(Level.OK));
    }

    @Test
    void warnsOfClocksThatAreApart() {
        assertThat(findings(Check.CLOCK, new DatabaseChecks.ClockDifference(session("", ""), NOW.minusSeconds(4)))
                        .get(0)
                        .level())
                .isEqualTo(Level.OK);
        Finding apart = findings(Check.CLOCK, new DatabaseChecks.ClockDifference(session("", ""), NOW.minusSeconds(60)))
                .get(0);
        assertThat(apart.level()).isEqualTo(Level.WARNING);
        assertThat(apart.found()).contains("60 s apart", "2031-05-01T12:00:00Z");
    }

    @Test
    void refusesPremisesThatCanNotBe() {
        DoctorOptions options = DoctorOptions.of(Clock.fixed(NOW, ZoneOffset.UTC));
        assertThatThrownBy(() -> options.withPoolSize(0)).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> options.withPatience(Duration.ofDays(1))).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> options.withLongTransaction(Duration.ZERO)).isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void tellsTheWorstOfAReport() {
        Finding ok = new Finding(Check.CLOCK, Level.OK, "a", "");
        Finding bad = new Finding(Check.LOCKS, Level.PROBLEM, "b", "c");
        assertThat(new Report(List.of(ok)).worst()).isEqualTo(Level.OK);
        assertThat(new Report(List.of(ok, bad)).worst()).isEqualTo(Level.PROBLEM);
        assertThat(new Report(List.of(ok, bad)).of(Check.CLOCK)).containsExactly(ok);
    }
}
