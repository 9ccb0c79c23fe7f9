package io.acidq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter.TableFill;
import io.acidq.benchmarks.workload.RunSizes;
import io.acidq.benchmarks.workload.Scenario;
import io.acidq.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {

    @Test
    void readsTheCommandLine() {
        BenchmarkOptions options = parse(
                "--url=jdbc:mysql://db:3306/bench",
                "--user=u",
                "--password=p",
                "--workloads=drain,idle",
                "--candidates=acidq-1,jdbc-1",
                "--runs=7",
                "--json=out.json",
                "--svg=plots");

        assertThat(options.database.url).isEqualTo("jdbc:mysql://db:3306/bench");
        assertThat(options.database.user).isEqualTo("u");
        assertThat(options.database.password).isEqualTo("p");
        assertThat(options.workloads).containsExactly("drain", "idle");
        assertThat(options.candidates).containsExactly("acidq-1", "jdbc-1");
        assertThat(options.runs).isEqualTo(7);
        assertThat(parse().runs).as("default").isEqualTo(5);
        assertThat(options.output.json).isEqualTo(Path.of("out.json"));
        assertThat(options.output.svg).isEqualTo(Path.of("plots"));
    }

    @Test
    void hidesUserAndPassword() {
        assertThat(RunInfo.withoutSecrets(List.of(
                        "--user=u",
                        "--password=o&ne",
                        "--password",
                        "two",
                        "--user",
                        "v",
                        "--url=jdbc:mysql://db/?user=u&password=three&useSSL=false",
                        "--url=jdbc:mysql://u:four@db/",
                        "--runs=5")))
                .containsExactly(
                        "--user=…",
                        "--password=…",
                        "--password",
                        "…",
                        "--user",
                        "…",
                        "--url=jdbc:mysql://db/?user=…&password=…&useSSL=false",
                        "--url=jdbc:mysql://…@db/",
                        "--runs=5");
    }

    @Test
    void readsTheVersionsOfTheBuild() throws IOException {
        assertThat(RunInfo.readVersions(Stream.of(
                        "The following files have been resolved:",
                        "   com.zaxxer:HikariCP:jar:7.0.2:compile -- module com.zaxxer.hikari",
                        "   io.netty:netty-x:jar:linux-x86_64:4.2.0.Final:runtime",
                        "   io.acidq:queue-core:jar:0.1.0-SNAPSHOT:compile",
                        "")))
                .containsExactly(
                        entry("com.zaxxer:HikariCP", "7.0.2"),
                        entry("io.netty:netty-x", "4.2.0.Final"),
                        entry("io.acidq:queue-core", "0.1.0-SNAPSHOT"));
        assertThat(RunInfo.versions())
                .hasSize(13)
                .containsKeys("acidq", "mysql-connector-j", "mariadb-java-client", "HikariCP")
                .containsKeys(
                        CandidateSelection.peers().stream().map(Candidate::name).toArray(String[]::new));
    }

    /** The name of the scenario contained a number of keys that was larger than the number of messages. */
    @Test
    void aScenarioHasNoMoreKeysThanMessages() {
        assertThat(ordered("--messages=250000"))
                .containsExactly(
                        "no-keys 0",
                        "keys-1 1",
                        "keys-100 100",
                        "keys-100000 100000",
                        "half-on-one 125001",
                        "failing-head 100");
        assertThat(ordered("--messages=7000")).contains("keys-7000 7000").doesNotContain("keys-100000 100000");
        assertThat(ordered("--messages=60"))
                .containsExactly("no-keys 0", "keys-1 1", "keys-60 60", "half-on-one 31", "failing-head 60");
    }

    private static List<String> ordered(String messages) {
        RunSizes runSizes = parse(messages).load.sizes();
        return CandidateSelection.of(List.of("order"), List.of()).workloads().get(0).scenarios(runSizes).stream()
                .map(scenario ->
                        scenario.name() + " " + scenario.sizes(runSizes, 500).get("keys"))
                .toList();
    }

    @Test
    void everyScenarioReportsItsSizes() {
        RunSizes runSizes = parse("--messages=20000", "--payload=300").load.sizes();

        for (Workload workload :
                CandidateSelection.of(List.of("all"), List.of()).workloads()) {
            for (Scenario scenario : workload.scenarios(runSizes)) {
                assertThat(scenario.sizes(runSizes, 500))
                        .as(workload.name() + "/" + scenario.name())
                        .containsEntry("payloadBytes", 300L)
                        .containsKeys("messages", "workers", "producers", "queues", "poolSize");
            }
        }
        Workload queues =
                CandidateSelection.of(List.of("queues"), List.of()).workloads().get(0);
        Scenario many = queues.scenarios(runSizes).get(1);
        assertThat(many.sizes(runSizes, 500))
                .containsEntry("queues", 200L)
                .containsEntry("workers", 200L)
                .containsEntry("poolSize", 413L);
        assertThat(many.sizes(runSizes, 151))
                .as("a server with few connections")
                .containsEntry("poolSize", 111L);
        assertThat(queues.scenarios(runSizes).get(0).sizes(runSizes, 151)).containsEntry("poolSize", 30L);
    }

    @Test
    void readsTheSizes() {
        RunSizes runSizes = parse(
                        "--messages=7",
                        "--seconds=8",
                        "--rate=9",
                        "--workers=10",
                        "--payload=11000",
                        "--backlogs=12,13",
                        "--archived=14",
                        "--scheduled=15",
                        "--dead=16",
                        "--timeout=17")
                .load
                .sizes();

        assertThat(runSizes)
                .isEqualTo(new RunSizes(
                        7,
                        new RunSizes.ArrivalRate(9, 8),
                        10,
                        11_000,
                        new RunSizes.TableAge(List.of(12L, 13L), new TableFill(14, 15, 16), false),
                        Duration.ofSeconds(17)));
    }

    @Test
    void aWarmUpHasTheGivenOrTheDefaultSize() {
        assertThat(parse("--messages=1000").runCounts().warmUp().messages()).isEqualTo(250);
        assertThat(parse("--messages=1000000").runCounts().warmUp().messages()).isEqualTo(5000);
        assertThat(parse("--messages=1000", "--warm-up=150000")
                        .runCounts()
                        .warmUp()
                        .messages())
                .isEqualTo(150_000);
        assertThatThrownBy(() -> parse("--warm-up=0").runCounts()).hasMessage("--warm-up must be at least 1, was 0");
    }

    @Test
    void growthReportsWhetherStatisticsAreFresh() {
        assertThat(analyzed("--messages=10")).hasSize(3).containsOnly(0L);
        assertThat(analyzed("--messages=10", "--analyze")).hasSize(3).containsOnly(1L);
    }

    private static List<Long> analyzed(String... arguments) {
        RunSizes runSizes = parse(arguments).load.sizes();
        return CandidateSelection.of(List.of("growth"), List.of()).workloads().get(0).scenarios(runSizes).stream()
                .map(scenario -> scenario.sizes(runSizes, 500).get("analyzed"))
                .toList();
    }

    /** Without a warm-up the first run is the slowest, because the JVM has not compiled its code. */
    @Test
    void everyScenarioIsWarmedUpUnlessRunsAreTiny() {
        CandidateSelection order =
                CandidateSelection.of(List.of("order"), List.of("acidq-1", "one-connection", "jdbc-1"));
        CandidateSelection idle = CandidateSelection.of(List.of("idle"), List.of("acidq-1"));

        assertThat(BenchmarkRunner.count(order, parse("--messages=1000").runCounts()))
                .isEqualTo(6 * 2 * (1 + 5));
        assertThat(BenchmarkRunner.count(order, parse("--messages=999").runCounts()))
                .isEqualTo(6 * 2 * 5);
        assertThat(BenchmarkRunner.count(idle, parse().runCounts())).isEqualTo(3 * 5);
    }

    @Test
    void refusesImpossibleSizesAndNamesTheOption() {
        for (String option : List.of("--payload=3", "--messages=0", "--rate=0", "--backlogs=-1", "--dead=-5")) {
            assertThatThrownBy(() -> parse(option).load.sizes())
                    .hasMessageContaining(option.substring(0, option.indexOf('=')));
        }
        assertThatThrownBy(() -> parse("--rate=100000", "--seconds=30000").load.sizes())
                .hasMessageContaining("--rate times --seconds")
                .hasMessageContaining("3000000000");
    }

    /** A file that could not be written at the end lost the results of hours. */
    @Test
    void refusesAnOutputThatCannotBeWrittenBeforeItMeasures(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("results.json"), "earlier");

        parse("--json=" + file, "--svg=" + folder.resolve("plots/of/today"))
                .output
                .check();

        assertThat(file).hasContent("earlier");
        assertThat(folder.resolve("plots/of/today")).isEmptyDirectory();
        assertThatThrownBy(() -> parse("--json=" + folder).output.check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--json: " + folder + " is a folder, name a file");
        assertThatThrownBy(() ->
                        parse("--json=" + folder.resolve("none/x.json")).output.check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no folder " + folder.resolve("none"));
        assertThatThrownBy(() -> parse("--svg=" + file).output.check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--svg: the folder " + file + " cannot be created");
        assertThat(Main.execute("--json=" + folder)).isEqualTo(2);
    }

    @Test
    void refusesUnknownNamesAndListsTheKnownOnes() {
        assertThatThrownBy(() -> CandidateSelection.of(List.of("drian"), List.of()))
                .hasMessageContaining("--workloads")
                .hasMessageContaining("'drian'")
                .hasMessageContaining("drain, produce");
        assertThatThrownBy(() -> CandidateSelection.of(List.of("drain"), List.of("acidq")))
                .hasMessageContaining("--candidates")
                .hasMessageContaining("'acidq'")
                .hasMessageContaining("jdbc-1, ");
        assertThatThrownBy(() -> CandidateSelection.of(List.of("order/keys-2"), List.of())
                        .workloads()
                        .get(0)
                        .scenarios(parse().load.sizes()))
                .hasMessageContaining("--workloads")
                .hasMessageContaining("'keys-2'")
                .hasMessageContaining("keys-100, ");
        assertThat(Main.execute("--workloads=drian")).isEqualTo(2);
    }

    @Test
    void withoutNamesTheDefaultCandidatesRunAllWorkloads() {
        CandidateSelection selection = CandidateSelection.of(List.of("all"), List.of());

        assertThat(selection.workloads())
                .extracting(Workload::name)
                .containsExactly(
                        "drain",
                        "produce",
                        "publish",
                        "steady",
                        "steady-other",
                        "growth",
                        "priorities",
                        "snapshot",
                        "idle",
                        "order",
                        "slow",
                        "queues",
                        "processes",
                        "screens",
                        "recovery");
        assertThat(selection.candidates())
                .extracting(Candidate::name)
                .containsExactly(
                        "jdbc-1",
                        "jdbc-50",
                        "no-claim",
                        "no-claim-50",
                        "one-connection",
                        "rows-only",
                        "acidq-1",
                        "acidq-50",
                        "acidq-external",
                        "acidq-spring");
    }

    @Test
    void namesOfCandidatesAreUniqueAndFitTheCommandLine() {
        List<String> names =
                CandidateSelection.allCandidates().stream().map(Candidate::name).toList();

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z0-9-]+"));
        assertThat(CandidateSelection.of(List.of("all"), List.of("all")).candidates())
                .extracting(Candidate::name)
                .isEqualTo(names);
    }

    @Test
    void refusesWrongOptionsWithExitCode2() {
        assertThat(Main.execute("--url=jdbc:mysql://db/x", "--server=mysql")).isEqualTo(2);
        assertThat(Main.execute("--url=jdbc:h2:mem:x")).isEqualTo(2);
        assertThat(Main.execute("--server=oracle")).isEqualTo(2);
        assertThat(Main.execute("--runs=0")).isEqualTo(2);
    }

    private static BenchmarkOptions parse(String... arguments) {
        return CommandLine.populateCommand(new BenchmarkOptions(), arguments);
    }
}
