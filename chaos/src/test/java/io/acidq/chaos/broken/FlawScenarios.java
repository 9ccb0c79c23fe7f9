package io.acidq.chaos.broken;

import io.acidq.chaos.role.ChaosMessage;
import io.acidq.chaos.role.HandlerAction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Stories in which a correct queue does nothing wrong, and one with the flaw that they are made for can not but do it. */
final class FlawScenarios {

    private static final String CLAIM = "UPDATE acidq_message .*owner = \\?, claim_no";
    private static final String EFFECT = "INSERT INTO chaos_effect";

    private FlawScenarios() {}

    /** The first stands just before it marks what it has found; the second claims meanwhile. */
    static void twoNodesClaimAtOnce(ScenarioContext scenarioContext) throws Exception {
        Node first = scenarioContext.node();
        Node second = scenarioContext.node();
        SqlPausePoint one = first.sqlPausePoints.set(SqlPausePoint.before(CLAIM));
        SqlPausePoint two = second.sqlPausePoints.set(SqlPausePoint.before(CLAIM));
        scenarioContext.sender.place(message("a", null, 1));
        first.start();
        one.awaitReached();
        second.start();
        ScenarioContext.until(() -> two.isReached() || second.nodeFreezer.emptyClaims() > 0);
        one.release();
        two.release();
        ScenarioContext.until(
                () -> scenarioContext.isDrained() && scenarioContext.starts() >= scenarioContext.claimed());
    }

    /** The head of an ordering key runs, and does not come to its end; its follower arrives, and another node looks. */
    static void theHeadOfAKeyStandsStill(ScenarioContext scenarioContext) throws Exception {
        Node first = scenarioContext.node();
        SqlPausePoint running = first.sqlPausePoints.set(SqlPausePoint.before(EFFECT));
        scenarioContext.sender.place(message("head", "k", 1));
        first.start();
        running.awaitReached();
        first.nodeFreezer.freeze();
        scenarioContext.sender.place(message("follower", "k", 2));
        Node second = scenarioContext.started();
        ScenarioContext.until(() -> scenarioContext.effects() > 0
                || (second.nodeFreezer.emptyClaims() >= ScenarioContext.EMPTY_CLAIMS
                        && second.nodeFreezer.claimed() == 0));
        running.release();
        first.nodeFreezer.resume();
        ScenarioContext.until(scenarioContext::isDrained);
    }

    /** A node is declared dead while it runs a message; another one runs it too when the first goes on. */
    static void aDeadNodeWakesWhileAnotherRunsItsMessage(ScenarioContext scenarioContext) throws Exception {
        Node first = scenarioContext.node();
        Node second = scenarioContext.node();
        SqlPausePoint stale = declaredDeadInTheHandler(scenarioContext, first, second);
        SqlPausePoint running = second.sqlPausePoints.set(SqlPausePoint.before(EFFECT));
        second.start();
        running.awaitReached();
        stale.release();
        ScenarioContext.until(() -> first.ends() > 0);
        running.release();
        ScenarioContext.until(scenarioContext::isDrained);
        ScenarioContext.until(() -> second.ends() > 0);
    }

    /** A node is declared dead while it runs a message; it goes on when that is freed and nobody has claimed it. */
    static void aDeadNodeWakesBeforeItsMessageIsClaimedAgain(ScenarioContext scenarioContext) throws Exception {
        Node first = scenarioContext.node();
        Node second = scenarioContext.node();
        SqlPausePoint stale = declaredDeadInTheHandler(scenarioContext, first, second);
        stale.release();
        ScenarioContext.until(() -> first.ends() > 0);
        second.start();
        ScenarioContext.until(scenarioContext::isDrained);
    }

    private static SqlPausePoint declaredDeadInTheHandler(ScenarioContext scenarioContext, Node victim, Node rescuer)
            throws Exception {
        SqlPausePoint running = victim.sqlPausePoints.set(SqlPausePoint.before(EFFECT));
        scenarioContext.sender.place(message("a", null, 1));
        victim.start();
        running.awaitReached();
        scenarioContext.declareDead(victim);
        ScenarioContext.rescue(rescuer);
        return running;
    }

    /** A node stands still, for so long that it counts as dead, right after the handler's transaction has committed. */
    static void aNodeDiesAfterTheHandlersCommit(ScenarioContext scenarioContext) throws Exception {
        Node first = scenarioContext.node();
        Node second = scenarioContext.node();
        SqlPausePoint committed = first.sqlPausePoints.set(SqlPausePoint.after("COMMIT .*" + EFFECT));
        scenarioContext.sender.place(message("a", null, 1));
        first.start();
        committed.awaitReached();
        scenarioContext.declareDead(first);
        ScenarioContext.rescue(second);
        second.start();
        ScenarioContext.until(scenarioContext::isDrained);
        committed.release();
    }

    /** A transaction that has enqueued commits when messages with higher ids are done. */
    static void aTransactionCommitsLate(ScenarioContext scenarioContext) throws Exception {
        Node node = scenarioContext.started();
        scenarioContext.started();
        Sender.OpenTransaction late = scenarioContext.sender.begin(message("late", null, 1));
        scenarioContext.sender.place(message("early", null, 2));
        ScenarioContext.until(() -> scenarioContext.effects() > 0);
        late.commit();
        scenarioContext.untilDrainedOrSeenBy(node);
    }

    /** The same, and its ordering key gets a follower at once. */
    static void aTransactionCommitsLateAndItsKeyGetsAFollower(ScenarioContext scenarioContext) throws Exception {
        Node node = scenarioContext.started();
        Sender.OpenTransaction late = scenarioContext.sender.begin(message("late", "k", 1));
        scenarioContext.sender.place(message("other", "j", 2));
        ScenarioContext.until(scenarioContext::isDrained);
        node.nodeFreezer.freeze();
        late.commit();
        scenarioContext.sender.place(message("follower", "k", 3));
        node.nodeFreezer.resume();
        ScenarioContext.until(scenarioContext::isDrained);
    }

    /** A rescuer stands between its look and its deed; meanwhile the message has been given back, and a living node runs it. */
    static void aRescuerStandsStill(ScenarioContext scenarioContext) throws Exception {
        Node first = scenarioContext.node();
        Node second = scenarioContext.node();
        Node rescuer = scenarioContext.node();
        SqlPausePoint failing = first.sqlPausePoints.set(SqlPausePoint.before(EFFECT));
        scenarioContext.sender.place(new ChaosMessage("a", "k", 1, HandlerAction.FLAKY, 0));
        first.start();
        failing.awaitReached();
        scenarioContext.declareDead(first);
        SqlPausePoint looked =
                rescuer.sqlPausePoints.set(SqlPausePoint.after("FROM acidq_message m .*WHERE m\\.owner = \\?"));
        CompletableFuture<Void> rescue = CompletableFuture.runAsync(() -> ScenarioContext.rescue(rescuer));
        looked.awaitReached();
        failing.release();
        ScenarioContext.until(() -> first.ends() > 0);
        SqlPausePoint running = second.sqlPausePoints.set(SqlPausePoint.before(EFFECT));
        second.start();
        running.awaitReached();
        second.nodeFreezer.freeze();
        looked.release();
        rescue.get(20, TimeUnit.SECONDS);
        Node third = scenarioContext.started();
        scenarioContext.untilDrainedOrSeenBy(third);
        running.release();
        second.nodeFreezer.resume();
        ScenarioContext.until(() -> scenarioContext.isDrained() && second.ends() > 0);
    }

    /** A mover stands before it moves what it has found; what comes behind it in its ordering key is due too. */
    static void aMoverStandsStill(ScenarioContext scenarioContext) throws Exception {
        Node first = scenarioContext.node();
        SqlPausePoint moving = first.sqlPausePoints.set(SqlPausePoint.before("INSERT INTO acidq_message .*SELECT"));
        first.start();
        scenarioContext.sender.place(new ChaosMessage("head", "k", 1, HandlerAction.PLAIN, 1));
        moving.awaitReached();
        scenarioContext.sender.place(new ChaosMessage("follower", "k", 2, HandlerAction.PLAIN, 1));
        Node second = scenarioContext.started();
        int before = second.nodeFreezer.moves();
        ScenarioContext.until(() -> scenarioContext.effects() > 0
                || (second.nodeFreezer.moves() >= before + ScenarioContext.EMPTY_CLAIMS
                        && scenarioContext.hasMovedNothing()));
        moving.release();
        ScenarioContext.until(scenarioContext::isDrained);
    }

    /** A handler fails whenever it is called. */
    static void aHandlerFailsAlways(ScenarioContext scenarioContext) throws Exception {
        scenarioContext.started();
        scenarioContext.started();
        scenarioContext.sender.place(new ChaosMessage("a", "k", 1, HandlerAction.FAIL, 0));
        ScenarioContext.until(
                () -> scenarioContext.isDrained() || scenarioContext.starts() >= 3 * ScenarioContext.MAX_ATTEMPTS);
    }

    private static ChaosMessage message(String key, String lane, long seq) {
        return new ChaosMessage(key, lane, seq, HandlerAction.PLAIN, 0);
    }
}
