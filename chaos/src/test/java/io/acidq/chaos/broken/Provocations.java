package io.acidq.chaos.broken;

import io.acidq.chaos.role.ChaosMessage;
import io.acidq.chaos.role.HandlerAction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Stories in which a correct queue does nothing wrong, and one with the flaw that they are made for can not but do it. */
final class Provocations {

    private static final String CLAIM = "UPDATE acidq_message .*owner = \\?, claim_no";
    private static final String EFFECT = "INSERT INTO chaos_effect";

    private Provocations() {}

    /** The first stands just before it marks what it has found; the second claims meanwhile. */
    static void twoNodesClaimAtOnce(Stage stage) throws Exception {
        Node first = stage.node();
        Node second = stage.node();
        Trap one = first.traps.set(Trap.before(CLAIM));
        Trap two = second.traps.set(Trap.before(CLAIM));
        stage.sender.place(errand("a", null, 1));
        first.start();
        one.awaitReached();
        second.start();
        Stage.until(() -> two.isReached() || second.frost.looks() > 0);
        one.release();
        two.release();
        Stage.until(() -> stage.isDrained() && stage.starts() >= stage.claimed());
    }

    /** The head of an ordering key runs, and does not come to its end; its follower arrives, and another node looks. */
    static void theHeadOfAKeyStandsStill(Stage stage) throws Exception {
        Node first = stage.node();
        Trap running = first.traps.set(Trap.before(EFFECT));
        stage.sender.place(errand("head", "k", 1));
        first.start();
        running.awaitReached();
        first.frost.freeze();
        stage.sender.place(errand("follower", "k", 2));
        Node second = stage.started();
        Stage.until(() -> stage.effects() > 0 || (second.frost.looks() >= Stage.LOOKS && second.frost.claimed() == 0));
        running.release();
        first.frost.thaw();
        Stage.until(stage::isDrained);
    }

    /** A node is declared dead while it runs a message; another one runs it too when the first goes on. */
    static void aBuriedNodeWakesWhileAnotherRunsItsMessage(Stage stage) throws Exception {
        Node first = stage.node();
        Node second = stage.node();
        Trap stale = buriedInTheHandler(stage, first, second);
        Trap running = second.traps.set(Trap.before(EFFECT));
        second.start();
        running.awaitReached();
        stale.release();
        Stage.until(() -> first.ends() > 0);
        running.release();
        Stage.until(stage::isDrained);
        Stage.until(() -> second.ends() > 0);
    }

    /** A node is declared dead while it runs a message; it goes on when that is freed and nobody has claimed it. */
    static void aBuriedNodeWakesBeforeItsMessageIsClaimedAgain(Stage stage) throws Exception {
        Node first = stage.node();
        Node second = stage.node();
        Trap stale = buriedInTheHandler(stage, first, second);
        stale.release();
        Stage.until(() -> first.ends() > 0);
        second.start();
        Stage.until(stage::isDrained);
    }

    private static Trap buriedInTheHandler(Stage stage, Node victim, Node rescuer) throws Exception {
        Trap running = victim.traps.set(Trap.before(EFFECT));
        stage.sender.place(errand("a", null, 1));
        victim.start();
        running.awaitReached();
        stage.bury(victim);
        Stage.rescue(rescuer);
        return running;
    }

    /** A node stands still, for so long that it counts as dead, right after the handler's transaction has committed. */
    static void aNodeDiesAfterTheHandlersCommit(Stage stage) throws Exception {
        Node first = stage.node();
        Node second = stage.node();
        Trap committed = first.traps.set(Trap.after("COMMIT .*" + EFFECT));
        stage.sender.place(errand("a", null, 1));
        first.start();
        committed.awaitReached();
        stage.bury(first);
        Stage.rescue(second);
        second.start();
        Stage.until(stage::isDrained);
        committed.release();
    }

    /** A transaction that has enqueued commits when messages with higher ids are done. */
    static void aTransactionCommitsLate(Stage stage) throws Exception {
        Node node = stage.started();
        stage.started();
        Sender.Open late = stage.sender.begin(errand("late", null, 1));
        stage.sender.place(errand("early", null, 2));
        Stage.until(() -> stage.effects() > 0);
        late.commit();
        stage.untilDrainedOrSeenBy(node);
    }

    /** The same, and its ordering key gets a follower at once. */
    static void aTransactionCommitsLateAndItsKeyGetsAFollower(Stage stage) throws Exception {
        Node node = stage.started();
        Sender.Open late = stage.sender.begin(errand("late", "k", 1));
        stage.sender.place(errand("other", "j", 2));
        Stage.until(stage::isDrained);
        node.frost.freeze();
        late.commit();
        stage.sender.place(errand("follower", "k", 3));
        node.frost.thaw();
        Stage.until(stage::isDrained);
    }

    /** A rescuer stands between its look and its deed; meanwhile the message has been given back, and a living node runs it. */
    static void aRescuerStandsStill(Stage stage) throws Exception {
        Node first = stage.node();
        Node second = stage.node();
        Node rescuer = stage.node();
        Trap failing = first.traps.set(Trap.before(EFFECT));
        stage.sender.place(new ChaosMessage("a", "k", 1, HandlerAction.FLAKY, 0));
        first.start();
        failing.awaitReached();
        stage.bury(first);
        Trap looked = rescuer.traps.set(Trap.after("FROM acidq_message m .*WHERE m\\.owner = \\?"));
        CompletableFuture<Void> rescue = CompletableFuture.runAsync(() -> Stage.rescue(rescuer));
        looked.awaitReached();
        failing.release();
        Stage.until(() -> first.ends() > 0);
        Trap running = second.traps.set(Trap.before(EFFECT));
        second.start();
        running.awaitReached();
        second.frost.freeze();
        looked.release();
        rescue.get(20, TimeUnit.SECONDS);
        Node third = stage.started();
        stage.untilDrainedOrSeenBy(third);
        running.release();
        second.frost.thaw();
        Stage.until(() -> stage.isDrained() && second.ends() > 0);
    }

    /** A mover stands before it moves what it has found; what comes behind it in its ordering key is due too. */
    static void aMoverStandsStill(Stage stage) throws Exception {
        Node first = stage.node();
        Trap moving = first.traps.set(Trap.before("INSERT INTO acidq_message .*SELECT"));
        first.start();
        stage.sender.place(new ChaosMessage("head", "k", 1, HandlerAction.PLAIN, 1));
        moving.awaitReached();
        stage.sender.place(new ChaosMessage("follower", "k", 2, HandlerAction.PLAIN, 1));
        Node second = stage.started();
        int before = second.frost.moves();
        Stage.until(
                () -> stage.effects() > 0 || (second.frost.moves() >= before + Stage.LOOKS && stage.hasMovedNothing()));
        moving.release();
        Stage.until(stage::isDrained);
    }

    /** A handler fails whenever it is called. */
    static void aHandlerFailsAlways(Stage stage) throws Exception {
        stage.started();
        stage.started();
        stage.sender.place(new ChaosMessage("a", "k", 1, HandlerAction.FAIL, 0));
        Stage.until(() -> stage.isDrained() || stage.starts() >= 3 * Stage.MAX_ATTEMPTS);
    }

    private static ChaosMessage errand(String key, String lane, long seq) {
        return new ChaosMessage(key, lane, seq, HandlerAction.PLAIN, 0);
    }
}
