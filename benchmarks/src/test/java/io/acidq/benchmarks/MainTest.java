package io.acidq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Remains;
import io.acidq.benchmarks.workload.Sizes;
import io.acidq.benchmarks.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

    @Test
    void theCommandLineSaysWhatIsRunAndWhere() {
        Plan plan = parse(
                "--url=jdbc:mysql://db:3306/bench",
                "--user=u",
                "--password=p",
                "--workloads=drain,idle",
                "--candidates=acidq-1,jdbc-1",
                "--runs=5",
                "--json=out.json",
                "--svg=plots");

        assertThat(plan.where.url).isEqualTo("jdbc:mysql://db:3306/bench");
        assertThat(plan.where.user).isEqualTo("u");
        assertThat(plan.where.password).isEqualTo("p");
        assertThat(plan.workloads).containsExactly("drain", "idle");
        assertThat(plan.candidates).containsExactly("acidq-1", "jdbc-1");
        assertThat(plan.runs).isEqualTo(5);
        assertThat(plan.json).isEqualTo(Path.of("out.json"));
        assertThat(plan.svg).isEqualTo(Path.of("plots"));
    }

    @Test
    void noPasswordIsTold() {
        assertThat(Main.withoutPasswords(List.of(
                        "--password=o&ne",
                        "--password",
                        "two",
                        "--url=jdbc:mysql://db/?user=u&password=three&useSSL=false",
                        "--runs=5")))
                .containsExactly(
                        "--password=…",
                        "--password",
                        "…",
                        "--url=jdbc:mysql://db/?user=u&password=…&useSSL=false",
                        "--runs=5");
    }

    @Test
    void sizesAreOptions() {
        Sizes sizes = parse(
                        "--messages=7",
                        "--seconds=8",
                        "--rate=9",
                        "--workers=10",
                        "--payload=11000",
                        "--backlogs=12,13",
                        "--archived=14",
                        "--scheduled=15",
                        "--dead=16",
                        "--patience=17")
                .loads
                .sizes();

        assertThat(sizes)
                .isEqualTo(new Sizes(
                        7,
                        new Sizes.Flow(9, 8),
                        10,
                        11_000,
                        new Sizes.Age(List.of(12L, 13L), new Remains(14, 15, 16)),
                        Duration.ofSeconds(17)));
    }

    @Test
    void impossibleSizesNameTheirOption() {
        assertThatThrownBy(() -> parse("--payload=3").loads.sizes()).hasMessageContaining("--payload");
        assertThatThrownBy(() -> parse("--messages=0").loads.sizes()).hasMessageContaining("--messages");
        assertThatThrownBy(() -> parse("--rate=0").loads.sizes()).hasMessageContaining("--rate");
        assertThatThrownBy(() -> parse("--backlogs=-1").loads.sizes()).hasMessageContaining("--backlogs");
    }

    @Test
    void namesThatNothingHasAreRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> Choice.of(List.of("drian"), List.of()))
                .hasMessageContaining("--workloads")
                .hasMessageContaining("'drian'")
                .hasMessageContaining("drain, produce");
        assertThatThrownBy(() -> Choice.of(List.of("drain"), List.of("acidq")))
                .hasMessageContaining("--candidates")
                .hasMessageContaining("'acidq'")
                .hasMessageContaining("jdbc-1, ");
        assertThatThrownBy(() -> Choice.of(List.of("order/keys-2"), List.of())
                        .workloads()
                        .get(0)
                        .scenarios(parse().loads.sizes()))
                .hasMessageContaining("--workloads")
                .hasMessageContaining("'keys-2'")
                .hasMessageContaining("keys-100, ");
        assertThat(Main.execute("--workloads=drian")).isEqualTo(2);
    }

    @Test
    void withoutNamesTheUsualOnesTakePart() {
        Choice choice = Choice.of(List.of("all"), List.of());

        assertThat(choice.workloads())
                .extracting(Workload::name)
                .containsExactly(
                        "drain",
                        "produce",
                        "steady",
                        "steady-other",
                        "growth",
                        "snapshot",
                        "idle",
                        "order",
                        "slow",
                        "queues",
                        "recovery");
        assertThat(choice.candidates())
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
        List<String> names = Roster.all().stream().map(Candidate::name).toList();

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z0-9-]+"));
        assertThat(Choice.of(List.of("all"), List.of("all")).candidates())
                .extracting(Candidate::name)
                .isEqualTo(names);
    }

    @Test
    void aUrlIsNoReasonToStartAServer() {
        assertThat(Main.execute("--url=jdbc:mysql://db/x", "--server=mysql")).isEqualTo(2);
        assertThat(Main.execute("--url=jdbc:h2:mem:x")).isEqualTo(2);
        assertThat(Main.execute("--server=oracle")).isEqualTo(2);
        assertThat(Main.execute("--runs=0")).isEqualTo(2);
    }

    private static Plan parse(String... arguments) {
        Plan plan = new Plan();
        new CommandLine(new Parsed(plan)).parseArgs(arguments);
        return plan;
    }

    /** A command that only has the options. */
    @CommandLine.Command
    private static final class Parsed {

        @CommandLine.Mixin
        private final Plan plan;

        Parsed(Plan plan) {
            this.plan = plan;
        }
    }
}
