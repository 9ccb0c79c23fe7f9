package io.acidq.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Candidate.CandidateKind;
import io.acidq.benchmarks.candidate.RetriedFailures;
import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.measure.RunFigures.Metric;
import io.acidq.benchmarks.report.CandidateResult.Run;
import io.acidq.benchmarks.report.CandidateResult.Statistics;
import java.io.StringReader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {

    private static final RunAudit CLEAN = new RunAudit(10, 10, 0, 0, 0, true);
    private static final Candidate HAND = named("hand", CandidateKind.HAND_WRITTEN);
    private static final Candidate OURS = named("ours", CandidateKind.ACIDQ);

    @Test
    void theMedianIsTheMiddleValue() {
        assertThat(Statistics.median(List.of(5.0, 1.0, 3.0))).isEqualTo(3);
        assertThat(Statistics.median(List.of(4.0, 1.0, 3.0, 100.0))).isEqualTo(3.5);
        assertThat(Statistics.median(List.of(Double.NaN, 2.0))).isEqualTo(2);
        assertThat(Statistics.median(List.of())).isNaN();
    }

    @Test
    void ratiosAreTakenRunByRun() {
        CandidateResult hand = entryOf(HAND, 100, 200, 400);
        CandidateResult ours = entryOf(OURS, 300, 300, 400);

        assertThat(ours.ratios(hand, "messagesPerSecond")).containsExactly(3.0, 1.5, 1.0);
    }

    @Test
    void aRunWithoutTheOtherRunHasNoRatio() {
        CandidateResult hand = new CandidateResult(HAND, List.of(new Run(1, null, "no connection"), run(2, 200)));

        assertThat(entryOf(OURS, 300, 300).ratios(hand, "messagesPerSecond")).containsExactly(1.5);
        assertThat(hand.marks()).containsExactly("FAILED: no connection");
    }

    @Test
    void marksLossesAndDuplicatesOfAllRuns() {
        CandidateResult entry = new CandidateResult(
                OURS,
                List.of(
                        new Run(1, new RunFigures(new RunAudit(10, 9, 0, 1, 0, true)), null),
                        new Run(2, new RunFigures(new RunAudit(10, 13, 0, 0, 3, true)), null),
                        new Run(3, new RunFigures(new RunAudit(10, 8, 2, 0, 0, false)).with("outOfOrder", 4), null)));

        assertThat(entry.marks()).containsExactly("LOST 1", "DUPLICATES 3", "UNFINISHED", "OUT OF ORDER 4");
        assertThat(new Results(Map.of(), List.of(scenarioResult("one", entry))).isGood())
                .isFalse();
    }

    @Test
    void marksLossesOfAWarmUpAndIgnoresItsSpeed() {
        Run warmUp = new Run(0, new RunFigures(new RunAudit(10, 9, 0, 1, 0, true)).with("messagesPerSecond", 1), null);
        CandidateResult entry = new CandidateResult(OURS, List.of(run(1, 200)), List.of(warmUp));

        assertThat(entry.marks()).containsExactly("LOST 1");
        assertThat(entry.values("messagesPerSecond")).containsExactly(200.0);
        assertThat(new Results(Map.of(), List.of(scenarioResult("one", entry))).isGood())
                .isFalse();
    }

    @Test
    void reportsRetriedFailuresWhichAreNoFault() {
        RunFigures first =
                new RunFigures(CLEAN).with(RetriedFailures.DEADLOCKS, 2).with(RetriedFailures.OTHERS, 0);
        RunFigures second =
                new RunFigures(CLEAN).with(RetriedFailures.DEADLOCKS, 1).with(RetriedFailures.OTHERS, 4);
        Results results = new Results(
                Map.of(),
                List.of(scenarioResult(
                        "one",
                        new CandidateResult(OURS, List.of(new Run(1, first, null), new Run(2, second, null))),
                        entryOf(HAND, 1))));

        assertThat(new TextTable(results).toString())
                .containsPattern("(?m)^ +ours .* deadlocks 3, other failures 4$")
                .doesNotContainPattern("(?m)^ +hand .*deadlocks");
        assertThat(results.isGood()).isTrue();
    }

    @Test
    void distinguishesDeadlocksFromOtherFailures() {
        RetriedFailures failures = new RetriedFailures();

        assertThat(failures.add(new IllegalStateException(new SQLException("Deadlock found", "40001", 1213))))
                .isTrue();
        assertThat(failures.add(new SQLException("Lock wait timeout exceeded", "40001", 1205)))
                .isFalse();
        assertThat(failures.figures()).containsExactly(entry("deadlocks", 1.0), entry("otherFailures", 1.0));
    }

    @Test
    void onlyFaultsOfAcidQCount() {
        CandidateResult wrong = new CandidateResult(HAND, List.of(new Run(1, null, "deadlock")));

        assertThat(new Results(Map.of(), List.of(scenarioResult("one", wrong, entryOf(OURS, 1)))).isGood())
                .isTrue();
    }

    @Test
    void aGoalIsMissedBelowHalfOfIt() {
        assertThat(Goals.evaluate(drained(42, 100)).missed())
                .containsExactly("drain/backlog: acidq-1 beside no-claim reached 0.42; the goal is 0.85, and half of it"
                        + " must be reached");
        assertThat(Goals.evaluate(drained(43, 100))).isEqualTo(new Goals.GoalResults(1, List.of(), List.of()));
        assertThat(Goals.evaluate(placed(47, 100)).missed())
                .containsExactly("produce/business: acidq-1 beside jdbc-1 reached 0.47; the goal is 0.95, and half of"
                        + " it must be reached");
        assertThat(Goals.evaluate(placed(48, 100)).missed()).isEmpty();
        assertThat(Goals.evaluate(new Results(Map.of(), List.of(scenarioResult("one", entryOf(OURS, 1))))))
                .as("a candidate that did not take part is not evaluated")
                .isEqualTo(new Goals.GoalResults(0, List.of(), List.of()));
    }

    @Test
    void comparesWithTheBestPeerByTheGoalOfTheServer() {
        ScenarioResult scenarioResult = scenarioResult(
                "backlog",
                entryOf(named("acidq-1", CandidateKind.ACIDQ), 80),
                entryOf(named("slow", CandidateKind.PEER), 50),
                entryOf(named("quick", CandidateKind.PEER), 100));

        assertThat(Goals.evaluate(new Results(Map.of(), List.of(scenarioResult)))
                        .missed())
                .containsExactly("drain/backlog: acidq-1 beside quick reached 0.80; the goal is 2.00, and half of it"
                        + " must be reached");
        assertThat(Goals.evaluate(new Results(Map.of("server", Map.of("vendor", "MARIADB")), List.of(scenarioResult))))
                .isEqualTo(new Goals.GoalResults(1, List.of(), List.of()));
    }

    @Test
    void comparesAScenarioWithTheFirstOneOfItsWorkload() {
        Candidate ours = named("acidq-1", CandidateKind.ACIDQ);

        assertThat(Goals.evaluate(new Results(
                                Map.of(),
                                List.of(
                                        in("snapshot", "none", entryOf(ours, 100, 200, 300)),
                                        in("snapshot", "open", entryOf(ours, 30, 60, 300)))))
                        .missed())
                .containsExactly("snapshot/open: acidq-1 beside the first scenario reached 0.30; the goal is 0.70, and"
                        + " half of it must be reached");
    }

    /** With fewer messages than keys, the scenario has another name. */
    @Test
    void judgesEachScenarioWithManyKeys() {
        Candidate ours = named("acidq-1", CandidateKind.ACIDQ);

        assertThat(Goals.evaluate(new Results(
                        Map.of(),
                        List.of(
                                in("order", "no-keys", entryOf(ours, 100)),
                                in("order", "keys-100", entryOf(ours, 1)),
                                in("order", "keys-1000", entryOf(ours, 90)),
                                in("order", "keys-100000", entryOf(ours, 40))))))
                .isEqualTo(new Goals.GoalResults(
                        2,
                        List.of("order/keys-100000: acidq-1 beside the first scenario reached 0.40; the goal is 0.90,"
                                + " and half of it must be reached"),
                        List.of()));
    }

    @Test
    void cannotJudgeACandidateWithoutFigures() {
        CandidateResult failed = new CandidateResult(
                named("no-claim", CandidateKind.HAND_WRITTEN), List.of(new Run(1, null, "no connection")));
        ScenarioResult scenarioResult =
                scenarioResult("backlog", entryOf(named("acidq-1", CandidateKind.ACIDQ), 80), failed);

        assertThat(Goals.evaluate(new Results(Map.of(), List.of(scenarioResult))))
                .isEqualTo(new Goals.GoalResults(
                        0,
                        List.of(),
                        List.of("drain/backlog: acidq-1 beside no-claim cannot be evaluated: one of them has no"
                                + " figures")));
    }

    private static ScenarioResult in(String workload, String scenario, CandidateResult... entries) {
        return new ScenarioResult(workload, scenario, Metric.RATE, Map.of(), List.of(entries), Map.of());
    }

    private static Results placed(double ours, double byHand) {
        CandidateResult acidq = entryOf(named("acidq-1", CandidateKind.ACIDQ), ours);
        CandidateResult jdbc = entryOf(named("jdbc-1", CandidateKind.HAND_WRITTEN), byHand);
        return new Results(
                Map.of(),
                List.of(new ScenarioResult(
                        "produce", "business", Metric.RATE, Map.of(), List.of(acidq, jdbc), Map.of())));
    }

    private static Results drained(double ours, double ceiling) {
        return new Results(
                Map.of(),
                List.of(scenarioResult(
                        "backlog",
                        entryOf(named("acidq-1", CandidateKind.ACIDQ), ours),
                        entryOf(named("no-claim", CandidateKind.HAND_WRITTEN), ceiling))));
    }

    @Test
    void theTableHasAColumnForEachHandWrittenQueue() {
        String table = new TextTable(results()).toString();

        assertThat(table)
                .contains("drain / one: messagesPerSecond, higher is better")
                .contains("messages 10")
                .containsPattern("candidate +same tx +median +least +most +v\\. 1st +/hand")
                .containsPattern("ours +yes +300 +300 +400 +1\\.00 +1\\.50")
                .contains("left out: other, which lacks BACKLOG");
    }

    @Test
    void theJsonHasEveryRunAndItsRatios(@TempDir Path folder) {
        Path file = folder.resolve("out.json");
        new Json(results()).write(file);

        JsonNode json = JsonMapper.shared().readTree(file);
        assertThat(json.get("server").asString()).isEqualTo("here");
        assertThat(json.at("/workloads/drain/one/sizes/messages").asInt()).isEqualTo(10);
        JsonNode ours = json.at("/workloads/drain/one/candidates/ours");
        assertThat(ours.at("/median/messagesPerSecond").asInt()).isEqualTo(300);
        assertThat(ours.at("/ratios/hand/median").asDouble()).isEqualTo(1.5);
        assertThat(ours.at("/ratios/hand/runs").size()).isEqualTo(3);
        assertThat(ours.at("/runs/2/messagesPerSecond").asInt()).isEqualTo(400);
        assertThat(ours.at("/runs/2/lost").asInt()).isZero();
        assertThat(json.at("/workloads/drain/two/candidates/ours/ratioToFirstScenario")
                        .asDouble())
                .isEqualTo(0.5);
        assertThat(json.at("/workloads/drain/two/candidates/ours/marks/0").asString())
                .isEqualTo("LOST 1");
        assertThat(json.get("good").asBoolean()).isFalse();
    }

    @Test
    void thePlotIsWellFormedAndShowsMarks() throws Exception {
        String svg = new SvgPlot(results()).plot("drain");

        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(svg).contains(">ours<", ">hand<", "LOST 1", ">one<", ">two<");
    }

    @Test
    void figuresKeepTheirOrder() {
        assertThat(new RunFigures(CLEAN).with("b", 1).with("a", 2).values())
                .containsExactly(entry("b", 1.0), entry("a", 2.0));
    }

    private static Results results() {
        RunFigures losing = new RunFigures(new RunAudit(10, 9, 0, 1, 0, true)).with("messagesPerSecond", 150);
        return new Results(
                Map.of("server", "here"),
                List.of(
                        scenarioResult("one", entryOf(HAND, 100, 200, 400), entryOf(OURS, 300, 300, 400)),
                        scenarioResult("two", new CandidateResult(OURS, List.of(new Run(1, losing, null))))));
    }

    private static ScenarioResult scenarioResult(String scenario, CandidateResult... entries) {
        return new ScenarioResult(
                "drain", scenario, Metric.RATE, Map.of("messages", 10L), List.of(entries), Map.of("other", "BACKLOG"));
    }

    private static CandidateResult entryOf(Candidate candidate, double... rates) {
        List<Run> runs = new ArrayList<>();
        for (double rate : rates) {
            runs.add(run(runs.size() + 1, rate));
        }
        return new CandidateResult(candidate, runs);
    }

    private static Run run(int number, double rate) {
        return new Run(number, new RunFigures(CLEAN).with("messagesPerSecond", rate), null);
    }

    private static Candidate named(String name, CandidateKind kind) {
        return new Candidate(name, kind, true, Set.of(), List.of(), db -> {
            throw new UnsupportedOperationException("only for reports");
        });
    }
}
