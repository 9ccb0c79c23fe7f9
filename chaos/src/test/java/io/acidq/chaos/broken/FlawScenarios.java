package io.acidq.chaos.broken;

import io.acidq.chaos.broken.SqlPausePoints.SqlPausePoint;
import io.acidq.chaos.role.ChaosMessage;
import io.acidq.chaos.role.HandlerAction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Scenarios in which a correct queue makes no error, and a queue with a certain flaw always does. */
final class FlawScenarios {

    private static final String CLAIM = "UPDATE acidq_message .*owner = \\?, claim_no";
    private static final String EFFECT = "INSERT INTO chaos_effect";

    private FlawScenarios() {}

    /** The first node pauses before it marks the messages that it has found, and the second node claims. */
    static void twoNodesClaimAtOnce(ScenarioContext scenario) throws Exception {
        Node first = scenario.node();
        Node second = scenario.node();
        SqlPausePoint one = first.pausePoints.set(SqlPausePoint.before(CLAIM));
        SqlPausePoint two = second.pausePoints.set(SqlPausePoint.before(CLAIM));
        scenario.sender.send(message("a", null, 1));
        first.start();
        one.awaitReached();
        second.start();
        ScenarioContext.until(() -> two.isReached() || second.freezer.emptyClaims() > 0);
        one.release();
        two.release();
        ScenarioContext.until(() -> scenario.isDrained() && scenario.starts() >= scenario.claimed());
    }

    /** The head of an ordering key is running when its follower arrives, and another node polls. */
    static void theHeadOfAKeyStandsStill(ScenarioContext scenario) throws Exception {
        Node first = scenario.node();
        SqlPausePoint running = first.pausePoints.set(SqlPausePoint.before(EFFECT));
        scenario.sender.send(message("head", "k", 1));
        first.start();
        running.awaitReached();
        first.freezer.freeze();
        scenario.sender.send(message("follower", "k", 2));
        Node second = scenario.started();
        ScenarioContext.until(() -> scenario.effects() > 0
                || (second.freezer.emptyClaims() >= ScenarioContext.EMPTY_CLAIMS && second.freezer.claimed() == 0));
        running.release();
        first.freezer.resume();
        ScenarioContext.until(scenario::isDrained);
    }

    /** A node is declared dead while it runs a message. It continues while another node runs the message. */
    static void aDeadNodeWakesWhileAnotherRunsItsMessage(ScenarioContext scenario) throws Exception {
        Node first = scenario.node();
        Node second = scenario.node();
        SqlPausePoint stale = declaredDeadInTheHandler(scenario, first, second);
        SqlPausePoint running = second.pausePoints.set(SqlPausePoint.before(EFFECT));
        second.start();
        running.awaitReached();
        stale.release();
        ScenarioContext.until(() -> first.ends() > 0);
        running.release();
        ScenarioContext.until(scenario::isDrained);
        ScenarioContext.until(() -> second.ends() > 0);
    }

    /** A node is declared dead while it runs a message. It continues when the message is free and not claimed again. */
    static void aDeadNodeWakesBeforeItsMessageIsClaimedAgain(ScenarioContext scenario) throws Exception {
        Node first = scenario.node();
        Node second = scenario.node();
        SqlPausePoint stale = declaredDeadInTheHandler(scenario, first, second);
        stale.release();
        ScenarioContext.until(() -> first.ends() > 0);
        second.start();
        ScenarioContext.until(scenario::isDrained);
    }

    private static SqlPausePoint declaredDeadInTheHandler(ScenarioContext scenario, Node victim, Node rescuer)
            throws Exception {
        SqlPausePoint running = victim.pausePoints.set(SqlPausePoint.before(EFFECT));
        scenario.sender.send(message("a", null, 1));
        victim.start();
        running.awaitReached();
        scenario.declareDead(victim);
        ScenarioContext.rescue(rescuer);
        return running;
    }

    /** A node pauses right after the handler's transaction has committed, and is declared dead. */
    static void aNodeDiesAfterTheHandlersCommit(ScenarioContext scenario) throws Exception {
        Node first = scenario.node();
        Node second = scenario.node();
        SqlPausePoint committed = first.pausePoints.set(SqlPausePoint.after("COMMIT .*" + EFFECT));
        scenario.sender.send(message("a", null, 1));
        first.start();
        committed.awaitReached();
        scenario.declareDead(first);
        ScenarioContext.rescue(second);
        second.start();
        ScenarioContext.until(scenario::isDrained);
        committed.release();
    }

    /** A transaction that has enqueued commits after messages with higher ids are done. */
    static void aTransactionCommitsLate(ScenarioContext scenario) throws Exception {
        Node node = scenario.started();
        scenario.started();
        Sender.OpenTransaction late = scenario.sender.begin(message("late", null, 1));
        scenario.sender.send(message("early", null, 2));
        ScenarioContext.until(() -> scenario.effects() > 0);
        late.commit();
        scenario.untilDrainedOrFoundEmptyBy(node);
    }

    /** The same, and its ordering key gets a follower immediately. */
    static void aTransactionCommitsLateAndItsKeyGetsAFollower(ScenarioContext scenario) throws Exception {
        Node node = scenario.started();
        Sender.OpenTransaction late = scenario.sender.begin(message("late", "k", 1));
        scenario.sender.send(message("other", "j", 2));
        ScenarioContext.until(scenario::isDrained);
        node.freezer.freeze();
        late.commit();
        scenario.sender.send(message("follower", "k", 3));
        node.freezer.resume();
        ScenarioContext.until(scenario::isDrained);
    }

    /** A rescuer pauses between its read and its update. Meanwhile the message is requeued, and a living node runs it. */
    static void aRescuerStandsStill(ScenarioContext scenario) throws Exception {
        Node first = scenario.node();
        Node second = scenario.node();
        Node rescuer = scenario.node();
        SqlPausePoint failing = first.pausePoints.set(SqlPausePoint.before(EFFECT));
        scenario.sender.send(new ChaosMessage("a", "k", 1, HandlerAction.FLAKY, 0, 0));
        first.start();
        failing.awaitReached();
        scenario.declareDead(first);
        SqlPausePoint afterRead =
                rescuer.pausePoints.set(SqlPausePoint.after("FROM acidq_message m .*WHERE m\\.owner = \\?"));
        CompletableFuture<Void> rescue = CompletableFuture.runAsync(() -> ScenarioContext.rescue(rescuer));
        afterRead.awaitReached();
        failing.release();
        ScenarioContext.until(() -> first.ends() > 0);
        SqlPausePoint running = second.pausePoints.set(SqlPausePoint.before(EFFECT));
        second.start();
        running.awaitReached();
        second.freezer.freeze();
        afterRead.release();
        rescue.get(20, TimeUnit.SECONDS);
        Node third = scenario.started();
        scenario.untilDrainedOrFoundEmptyBy(third);
        running.release();
        second.freezer.resume();
        ScenarioContext.until(() -> scenario.isDrained() && second.ends() > 0);
    }

    /** A mover pauses before it moves the head of an ordering key, and the follower becomes due. */
    static void aMoverStandsStill(ScenarioContext scenario) throws Exception {
        Node first = scenario.node();
        SqlPausePoint moving = first.pausePoints.set(SqlPausePoint.before("INSERT INTO acidq_message .*SELECT"));
        first.start();
        scenario.sender.send(new ChaosMessage("head", "k", 1, HandlerAction.PLAIN, 1, 0));
        moving.awaitReached();
        scenario.sender.send(new ChaosMessage("follower", "k", 2, HandlerAction.PLAIN, 1, 0));
        Node second = scenario.started();
        int before = second.freezer.moves();
        ScenarioContext.until(() -> scenario.effects() > 0
                || (second.freezer.moves() >= before + ScenarioContext.EMPTY_CLAIMS && scenario.hasMovedNothing()));
        moving.release();
        ScenarioContext.until(scenario::isDrained);
    }

    /** A handler always fails. */
    static void aHandlerFailsAlways(ScenarioContext scenario) throws Exception {
        scenario.started();
        scenario.started();
        scenario.sender.send(new ChaosMessage("a", "k", 1, HandlerAction.FAIL, 0, 0));
        ScenarioContext.until(() -> scenario.isDrained() || scenario.starts() >= 3 * ScenarioContext.MAX_ATTEMPTS);
    }

    private static ChaosMessage message(String key, String lane, long seq) {
        return new ChaosMessage(key, lane, seq, HandlerAction.PLAIN, 0, 0);
    }
}
