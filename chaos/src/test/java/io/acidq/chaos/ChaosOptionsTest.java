package io.acidq.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.chaos.environment.TargetServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ChaosOptionsTest {

    private static final List<String> POSSIBLE = List.of("kill-worker", "read-only");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--minutes=0",
                "--minutes=-5",
                "--minutes=NaN",
                "--minutes=Infinity",
                "--calm=NaN",
                "--calm=-1",
                "--workers=0",
                "--producers=0",
                "--per-second=0",
                "--per-second=7",
                "--handler-fault-in=0",
                "--publish-in=-1",
                "--expire-in=-1",
                "--cancel-in=-1",
                "--server=postgres",
                "--json=/nowhere/there/x.json",
                "--json=/",
                "--json="
            })
    void refusesAWrongValueAndNamesTheOption(String option) {
        ChaosOptions chaosOptions = plan(option);
        assertThatThrownBy(chaosOptions::check)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(option.substring(0, option.indexOf('=')));
    }

    @Test
    void acceptsTheExampleOfTheDocumentation() {
        assertThatCode(plan("--server=mysql", "--minutes=60", "--seed=7", "--json=result.json")::check)
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "flaky", "no-such-fault"})
    void refusesUnknownFaults(String fault) {
        ChaosOptions chaosOptions = plan("--faults=" + fault);
        assertThatThrownBy(() -> chaosOptions.wanted(POSSIBLE, POSSIBLE)).hasMessageContaining("'" + fault + "'");
    }

    @Test
    void injectsAnUnusualFaultOnlyIfItIsNamed() {
        assertThat(plan().wanted(POSSIBLE, List.of("kill-worker"))).containsExactly("kill-worker");
        assertThat(plan("--faults=read-only").wanted(POSSIBLE, List.of("kill-worker")))
                .containsExactly("read-only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://127.0.0.1:1/d", "jdbc:mariadb://127.0.0.1:1/d", "jdbc:none://127.0.0.1:1/d"})
    void reportsWhyADatabaseCannotBeReached(String url) {
        TargetServer target = TargetServer.given(url, "u", "p");
        assertThatThrownBy(target::check)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--url: " + url)
                .hasMessageNotContaining("\n");
    }

    @Test
    void disablesEncryptionOrRefusesIt() {
        assertThat(TargetServer.given("jdbc:mysql://h:1/d", "u", "p").url()).contains("sslMode=DISABLED");
        assertThat(TargetServer.given("jdbc:mariadb://h:1/d?a=b", "u", "p").url())
                .endsWith("?a=b&sslMode=disable");
        assertThatThrownBy(() -> TargetServer.given("jdbc:mysql://h:1/d?sslMode=REQUIRED", "u", "p"))
                .hasMessageContaining("sslMode");
    }

    private static ChaosOptions plan(String... options) {
        return CommandLine.populateCommand(new ChaosOptions(), options);
    }
}
