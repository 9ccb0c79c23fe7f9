package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.AuditLog;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterGroupFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import io.acidq.admin.DeadLetters.DeadLetterGroups;
import io.acidq.admin.Operator;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.QueueStore;
import io.acidq.telemetry.Telemetry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operators' API for dead letters on a real server. */
class DeadLettersIT extends FreshEngineTests {

    private static final String Q = "failing";
    private static final DeadLetterFilter ALL = DeadLetterFilter.of(Q);
    private static final BulkAction ANN =
            BulkAction.by("ann", "the warehouse is back").withLimit(100_000);

    private final AtomicBoolean isRepaired = new AtomicBoolean();
    private DeadLetters dead;

    @BeforeEach
    void openQueue() {
        dead = deadLetters();
        store.queues().openQueue(Q);
    }

    @Test
    void groupsTenThousandLettersByCauseReplaysOneGroupAndDiscardsAnother() throws Exception {
        makeDeadLetters(10_000);
        List<DeadLetterGroup> groups = dead.groups(DeadLetterGroupFilter.of(Q).withMaxCounted(10_000)).groups().stream()
                .sorted(Comparator.comparing(DeadLetterGroup::letters).reversed())
                .toList();
        assertThat(groups).extracting(DeadLetterGroup::letters).containsExactly(5000L, 3000L, 2000L);
        assertThat(groups).allMatch(DeadLetterGroup::complete);
        assertThat(dead.groups(Q, 10)).allMatch(group -> group.letters() == 1_000 && !group.complete());
        assertThat(groups).extracting(DeadLetterGroup::error).allMatch(c -> c.matches("cause [abc] of message \\d+"));
        assertThat(dead.count(ALL)).isEqualTo(10_000);
        String frequent = groups.get(0).cause();
        String rare = groups.get(2).cause();

        BulkResult replayed = dead.replay(ALL.withCause(frequent), ANN);
        BulkResult discarded = dead.discard(ALL.withCause(rare), ANN);

        assertThat(replayed).isEqualTo(new BulkResult(false, 5000, 5000, 0, 0));
        assertThat(discarded).isEqualTo(new BulkResult(false, 2000, 2000, 0, 0));
        assertThat(dead.count(ALL)).isEqualTo(3000);
        assertThat(rows("acidq_message WHERE attempts = 0 AND crashes = 0 AND claim_no = 7"))
                .isEqualTo(5000);
        List<AuditEntry> recent = sender().audit().recent(10);
        assertThat(recent).extracting(AuditEntry::action).containsExactly("discard", "replay");
        assertThat(recent.get(1).detail()).isEqualTo("matched=5000 changed=5000 lost=0 keyTaken=0");
        assertThat(recent.get(1).filter()).isEqualTo("queue=" + Q + " cause=" + frequent);
        assertThat(count("SELECT COUNT(DISTINCT uid) FROM acidq_audit WHERE uid IS NOT NULL"))
                .isEqualTo(7000);
    }

    @Test
    void groupsOfAllQueuesAreLookedAtUpToALimitTheNewestFirst() throws Exception {
        makeDeadLetters(10);
        store.queues().openQueue("dying-too");
        String numbers = IntStream.range(0, 501)
                .mapToObj(i -> "SELECT " + i + " AS n")
                .collect(Collectors.joining(" UNION ALL "));
        sql(
                "INSERT INTO acidq_dead (died_at, preexec_time, attempts, crashes, mark, cause, uid, queue, lane, claim_no, enqueued_at, type, headers, size, payload)"
                        + " SELECT '2026-01-01' + INTERVAL n SECOND, '2026-01-01', 3, 1, CONCAT('cause ', n), UNHEX(LPAD(HEX(n), 16, '0')), UNHEX(LPAD(HEX(n), 32, '7')), "
                        + QueueStore.numberOf("dying-too") + ", 0, 1, '2026-01-01', 'type', '', 0, '' FROM (" + numbers
                        + ") numbers");

        DeadLetterGroups all = dead.groups(DeadLetterGroupFilter.ofAllQueues().withLimit(1_000));

        assertThat(all.complete()).isFalse();
        assertThat(all.groups())
                .hasSize(3 + DeadLetterGroupFilter.MAX_GROUPS_OF_QUEUE)
                .isSortedAccordingTo(
                        Comparator.comparing(DeadLetterGroup::lastDiedAt).reversed());
        assertThat(all.groups().subList(0, 3)).allMatch(group -> group.queue().equals(Q) && group.complete());
        assertThat(dead.groups(DeadLetterGroupFilter.of(Q)).complete()).isTrue();
        assertThat(dead.groups(DeadLetterGroupFilter.of(Q).withLimit(2)).complete())
                .isFalse();
        DeadLetterGroups one = dead.groups(DeadLetterGroupFilter.ofAllQueues().withCause("00000000000001F4"));
        assertThat(one.groups()).singleElement().satisfies(group -> {
            assertThat(group.queue()).isEqualTo("dying-too");
            assertThat(group.error()).isEqualTo("cause 500");
        });
        assertThat(one.complete()).isTrue();
    }

    @Test
    void changesNothingInADryRunAndReturnsWhatWouldChange() throws Exception {
        makeDeadLetters(300);
        List<String> before = checksums();

        assertThat(dead.replay(ALL, ANN.asDryRun())).isEqualTo(new BulkResult(true, 300, 300, 0, 0));
        assertThat(dead.discard(ALL, ANN.asDryRun().withLimit(50))).isEqualTo(new BulkResult(true, 300, 50, 0, 0));

        assertThat(checksums()).isEqualTo(before);
        assertThat(sender().audit().recent(10)).isEmpty();
    }

    @Test
    void changesTheOldestUpToTheLimitAndReturnsHowManyAreLeft() throws Exception {
        makeDeadLetters(300);
        Set<MessageId> oldest = new HashSet<>(ids(dead.list(Q, 150)));

        BulkResult first = dead.discard(ALL, ANN.withLimit(150));

        assertThat(first).isEqualTo(new BulkResult(false, 300, 150, 0, 0));
        assertThat(first.beyondLimit()).isEqualTo(150);
        assertThat(dead.list(Q, 300)).hasSize(150).noneMatch(l -> oldest.contains(l.id()));
        assertThat(dead.discard(ALL, BulkAction.by("ann", "again"))).isEqualTo(new BulkResult(false, 150, 150, 0, 0));
    }

    @Test
    void listsEachLetterOnceWhileOthersAreAddedBetweenThePages() throws Exception {
        makeDeadLetters(500);
        Set<MessageId> there = new HashSet<>(ids(dead.list(Q, 10_000)));
        AtomicBoolean enough = new AtomicBoolean();
        Future<?> others = runAsync(() -> {
            listen(Q, (step, d) -> Outcome.dead("late " + step.seq()));
            for (int i = 0; i < 200 && !enough.get(); i++) {
                enqueue(Q, new Step("late", i));
            }
            return null;
        });

        List<MessageId> seen = new ArrayList<>();
        DeadLetterPage page = DeadLetterPage.first(10);
        for (List<DeadLetter> letters = dead.list(ALL, page); !letters.isEmpty(); letters = dead.list(ALL, page)) {
            seen.addAll(ids(letters));
            page = page.after(letters.get(letters.size() - 1));
        }
        enough.set(true);
        others.get(1, TimeUnit.MINUTES);

        assertThat(seen).doesNotHaveDuplicates().containsAll(there);
    }

    @Test
    void keepsTheOrderOfEachOrderingKeyInAReplayAfterSomeWereDeadLetteredAgain() throws Exception {
        listen();
        List<MessageId> ids = new ArrayList<>();
        for (int seq = 1; seq <= 60; seq++) {
            for (int key = 0; key < 5; key++) {
                ids.add(enqueueOrdered(Q, "k" + key, seq).id());
            }
        }
        awaitDrained();
        assertThat(dead.count(ALL)).isEqualTo(300);
        for (MessageId again : ids.subList(0, 20)) { // the first of each key are now dead-lettered last
            assertThat(dead.replay(again)).isTrue();
        }
        awaitDrained();

        isRepaired.set(true);
        assertThat(dead.replay(ALL, ANN)).isEqualTo(new BulkResult(false, 300, 300, 0, 0));
        awaitDrained();

        for (int key = 0; key < 5; key++) {
            assertThat(strings("SELECT seq FROM effect WHERE k = 'k" + key + "' ORDER BY id"))
                    .isEqualTo(IntStream.rangeClosed(1, 60)
                            .mapToObj(Integer::toString)
                            .toList());
        }
    }

    @Test
    void letsOneOfTwoConcurrentBulkActionsWinEachLetter() throws Exception {
        makeDeadLetters(2000);
        CyclicBarrier start = new CyclicBarrier(2);
        Future<BulkResult> replay = runAsync(() -> {
            start.await();
            return dead.replay(ALL, ANN);
        });
        Future<BulkResult> discard = runAsync(() -> {
            start.await();
            return dead.discard(ALL, BulkAction.by("bob", "hopeless").withLimit(100_000));
        });
        BulkResult replayed = replay.get(1, TimeUnit.MINUTES);
        BulkResult discarded = discard.get(1, TimeUnit.MINUTES);

        assertThat(replayed.changed() + discarded.changed()).isEqualTo(2000);
        assertThat(rows("acidq_message")).isEqualTo(replayed.changed());
        assertThat(replayed.changed() + replayed.lost() + (long) discarded.changed() + discarded.lost())
                .as("changed and lost letters of both actions are all that they matched")
                .isEqualTo(replayed.matched() + discarded.matched());
        assertThat(dead.count(ALL)).isZero();
        assertThat(rows("acidq_audit WHERE uid IS NOT NULL AND action = 'replay'"))
                .isEqualTo(replayed.changed());
        assertThat(strings("SELECT uid FROM acidq_audit WHERE uid IS NOT NULL GROUP BY uid HAVING COUNT(*) > 1"))
                .isEmpty();
    }

    @Test
    void replaysEachLetterOnceWhileHandlersDeadLetterThemAgain() throws Exception {
        makeDeadLetters(500);
        AtomicInteger runs = new AtomicInteger();
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        listen(on(Q, (step, delivery) -> {
                    runs.incrementAndGet();
                    attempts.add(delivery.attempt());
                    return Outcome.dead("again");
                })
                .withConcurrency(4));

        BulkResult result = dead.replay(ALL, ANN);
        awaitDrained();

        assertThat(result).isEqualTo(new BulkResult(false, 500, 500, 0, 0));
        assertThat(runs)
                .as("those that were dead-lettered again were not picked again")
                .hasValue(500);
        assertThat(attempts).containsOnly(1);
        assertThat(dead.groups(Q, 10)).singleElement().satisfies(g -> {
            assertThat(g.letters()).isEqualTo(500);
            assertThat(g.error()).isEqualTo("again");
        });
    }

    @Test
    void runsReplayedMessagesOnce() throws Exception {
        listen();
        for (int i = 0; i < 30; i++) {
            enqueue(Q, new Step("a", i), options().key("k" + i));
        }
        awaitDrained();
        isRepaired.set(true);

        assertThat(dead.replay(ALL, ANN).changed()).isEqualTo(30);
        awaitDrained();

        assertThat(count("SELECT COUNT(DISTINCT seq) FROM effect")).isEqualTo(30);
        assertThat(effects()).isEqualTo(30);
    }

    @Test
    void editsALetterAndReplaysItUnlessItHasChanged() throws Exception {
        listen();
        MessageId id = enqueue(Q, new Step("typo", 1)).id();
        awaitDrained();
        DeadLetter seen = dead.list(Q, 1).get(0);
        isRepaired.set(true);
        byte[] better = new String(seen.payload(), StandardCharsets.UTF_8)
                .replace("typo", "word")
                .getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> dead.editAndReplay(seen, new byte[10_000_000], new Operator("ann", "typo")))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining(id.toString());
        assertThat(dead.editAndReplay(seen, better, new Operator("ann", "typo")))
                .isTrue();
        assertThat(dead.editAndReplay(seen, better, new Operator("bob", "typo")))
                .isFalse();
        awaitDrained();

        assertThat(strings("SELECT k FROM effect")).containsExactly("word");
        assertThat(sender().audit().of(id))
                .singleElement()
                .satisfies(e -> assertThat(e.detail()).contains("payload sha256="));
    }

    @Test
    void recordsWhoReplayedOrDiscardedAMessageAndWhy() throws Exception {
        makeDeadLetters(2);
        MessageId first = dead.list(Q, 2).get(0).id();
        MessageId second = dead.list(Q, 2).get(1).id();
        assertThat(dead.replay(first, new Operator("ann", "customer called"))).isTrue();
        assertThat(dead.replay(first, new Operator("bob", "customer called"))).isFalse();
        assertThat(dead.discard(second)).isTrue();
        assertThat(dead.discard(second, new Operator("bob", "too late"))).isFalse();

        assertThat(sender().audit().of(first)).singleElement().satisfies(e -> {
            assertThat(e.actor()).isEqualTo("ann");
            assertThat(e.action()).isEqualTo("replay");
            assertThat(e.reason()).isEqualTo("customer called");
            assertThat(e.message()).contains(first);
        });
        assertThat(sender().audit().of(second))
                .extracting(AuditEntry::actor)
                .containsExactly("api " + NodeContext.processName());
        assertThat(sender().audit().recent(1).get(0).message()).contains(second);
    }

    @Test
    void selectsOneLetterByItsIdAndRecordsAnActionOnItAsAnActionOnTheMessage() throws Exception {
        makeDeadLetters(3);
        List<MessageId> ids = ids(dead.list(Q, 3));
        DeadLetterFilter second = DeadLetterFilter.of(ids.get(1));
        assertThat(ids(dead.list(second, DeadLetterPage.first(10)))).containsExactly(ids.get(1));
        assertThat(dead.count(second.withCause("00000000000000AF"))).isZero();
        assertThat(dead.replay(second, ANN.asDryRun())).isEqualTo(new BulkResult(true, 1, 1, 0, 0));

        assertThat(dead.replay(second, ANN)).isEqualTo(new BulkResult(false, 1, 1, 0, 0));
        assertThat(dead.replay(second, ANN)).isEqualTo(new BulkResult(false, 0, 0, 0, 0));
        assertThat(dead.discard(DeadLetterFilter.of(ids.get(0)), ANN).changed()).isEqualTo(1);

        assertThat(ids(dead.list(Q, 3))).containsExactly(ids.get(2));
        assertThat(sender().audit().recent(10))
                .extracting(e -> e.message().orElseThrow(), AuditEntry::action, AuditEntry::actor, AuditEntry::filter)
                .containsExactly(tuple(ids.get(0), "discard", "ann", ""), tuple(ids.get(1), "replay", "ann", ""));
    }

    @Test
    void refusesToReplayALetterWhoseKeyAnotherMessageHolds() throws Exception {
        listen();
        MessageId id = enqueue(Q, new Step("a", 1), options().key("k")).id();
        awaitDrained();
        assertThat(enqueue(Q, new Step("a", 2), options().key("k")).isDuplicate())
                .as("a dead letter holds its key")
                .isTrue();
        sql("DELETE FROM acidq_key");
        isRepaired.set(true);
        enqueue(Q, new Step("a", 2), options().key("k"));
        awaitDrained();

        assertThatThrownBy(() -> dead.replay(id))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining(id.toString())
                .hasMessageContaining("Discard this message");
        assertThat(dead.replay(ALL, ANN.asDryRun())).isEqualTo(new BulkResult(true, 1, 0, 0, 1));
        assertThat(dead.replay(ALL, ANN)).isEqualTo(new BulkResult(false, 1, 0, 0, 1));
        assertThat(dead.discard(id)).isTrue();
        assertThat(strings("SELECT seq FROM effect")).containsExactly("2");
    }

    @Test
    void reportsEachActionOnceAndToleratesTelemetryThatThrows() throws Exception {
        makeDeadLetters(250);
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        DeadLetters told = Engine.builder(store)
                .telemetry(new Telemetry() {
                    @Override
                    public void replayed(String queue, int letters, String actor) {
                        heard.add(actor + " replayed " + letters + " of " + queue);
                        throw new IllegalStateException("of no interest");
                    }

                    @Override
                    public void discarded(String queue, int letters, String actor) {
                        heard.add(actor + " discarded " + letters + " of " + queue);
                    }
                })
                .build()
                .deadLetters();

        told.replay(ALL, ANN.withLimit(201));
        told.discard(ALL, ANN.asDryRun());
        told.discard(told.list(Q, 1).get(0).id(), new Operator("bob", "one"));
        told.discard(ALL, BulkAction.by("bob", "rest"));
        told.discard(ALL, BulkAction.by("bob", "nothing left"));

        assertThat(heard)
                .containsExactly(
                        "ann replayed 201 of failing", "bob discarded 1 of failing", "bob discarded 48 of failing");
    }

    @Test
    void refusesUnknownQueuesAndInvalidLimits() {
        assertThatThrownBy(() -> dead.count(DeadLetterFilter.of("never.used")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("never.used");
        assertThatThrownBy(() -> dead.groups(Q, 0)).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> sender().audit().recent(0)).isInstanceOf(QueueMisuseException.class);
    }

    @Test
    @SuppressWarnings("NullAway") // the test passes null
    void namesTheArgumentThatIsNull() throws Exception {
        enqueue(Q, new Step("a", 1));
        BulkAction action = BulkAction.by("ann", "tidy up");
        saysThat("filter", () -> dead.count(null));
        saysThat("filter", () -> dead.replay((DeadLetterFilter) null, action));
        saysThat("action", () -> dead.discard(DeadLetterFilter.of(Q), null));
        saysThat("page", () -> dead.list(DeadLetterFilter.of(Q), null));
        saysThat("id", () -> dead.replay((MessageId) null));
        saysThat("seen", () -> dead.editAndReplay(null, new byte[0], new Operator("ann", "typo")));
        saysThat("seen", () -> sender().blockedKeys().release(null, new Operator("ann", "go on")));
        saysThat("operator", () -> sender().control().pause(Q, null));
        saysThat("id", () -> sender().why(null));
        assertThatThrownBy(() -> sender().control().pause(Q, new Operator("ann", null)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("reason");
        assertThatThrownBy(() -> sender().blockedKeys().list(null, 1))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("queue name 'null'");
    }

    private static void saysThat(String what, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(what);
    }

    @Test
    void worksAsTheDocumentationShows() throws Exception {
        makeDeadLetters(100);
        AuditLog audit = sender().audit();
        // snippet:groups
        for (DeadLetterGroup group : dead.groups("failing", 20)) {
            System.out.println(group.letters() + " × " + group.error() + " (" + group.cause() + ")");
        }
        // /snippet
        String cause = dead.groups(Q, 3).stream()
                .max(Comparator.comparing(DeadLetterGroup::letters))
                .orElseThrow()
                .cause();
        // snippet:page
        DeadLetterFilter timeouts = DeadLetterFilter.of("failing").withCause(cause);
        DeadLetterPage page = DeadLetterPage.first(50);
        List<DeadLetter> letters = dead.list(timeouts, page);
        List<DeadLetter> more = dead.list(timeouts, page.after(letters.get(letters.size() - 1)));
        // /snippet
        assertThat(letters).hasSize(50);
        assertThat(more).isEmpty();
        // snippet:replay
        BulkAction action =
                BulkAction.by("ann", "INC-4711: the warehouse is back").withLimit(5_000);
        BulkResult would = dead.replay(timeouts, action.asDryRun());
        if (would.keyTaken() == 0 && would.beyondLimit() == 0) {
            BulkResult did = dead.replay(timeouts, action);
            System.out.println(did.changed() + " replayed, " + did.lost() + " were somebody else's by then");
        }
        // /snippet
        DeadLetter letter = dead.list(Q, 1).get(0);
        byte[] corrected = letter.payload();
        // snippet:one
        boolean replayed = dead.editAndReplay(letter, corrected, new Operator("ann", "INC-4711: wrong article number"));
        boolean discarded = dead.discard(letter.id(), new Operator("bob", "test data")); // false: ann was first
        // /snippet
        // snippet:audit
        for (AuditEntry entry : audit.of(letter.id())) {
            System.out.println(entry.at() + " " + entry.actor() + " " + entry.action() + ": " + entry.reason());
        }
        List<AuditEntry> latest = audit.recent(20);
        // /snippet
        assertThat(replayed).isTrue();
        assertThat(discarded).isFalse();
        assertThat(latest).extracting(AuditEntry::detail).last().isEqualTo("matched=50 changed=50 lost=0 keyTaken=0");
    }

    /** Dead letters of three causes, 5 : 3 : 2, with their numbers in the causes, as fast as the server can. */
    private void makeDeadLetters(int letters) throws Exception {
        List<NewMessage> messages = IntStream.range(0, letters)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList();
        enqueueAll(Q, messages);
        // as Ends.xml#copyToDead does it, thousands at a time
        for (String cause : List.of("a:0,1,2,3,4", "b:5,6,7", "c:8,9")) {
            String name = cause.substring(0, 1);
            sql("INSERT INTO acidq_dead (died_at, preexec_time, attempts, crashes, mark, cause, uid, queue,"
                    + " lane, claim_no, enqueued_at, p_key, order_key, type, headers, size, payload) SELECT"
                    + " UTC_TIMESTAMP(6),"
                    + " preexec_time, 3, 1,"
                    + " CONCAT('cause"
                    + " " + name + " of message ', id, '\\nat line ', id), UNHEX(RPAD(HEX('"
                    + name + "'), 16, '0')), uid, queue, lane, 7, enqueued_at, p_key, order_key, type,"
                    + " headers, size, payload FROM acidq_message WHERE id % 10 IN ("
                    + cause.substring(2) + ") ORDER BY id");
        }
        sql("DELETE FROM acidq_message");
    }

    private void listen() {
        listen(on(Q, (step, delivery) -> {
                    if (!isRepaired.get()) {
                        return Outcome.dead("no stock of " + step.seq());
                    }
                    return effect(step, delivery);
                })
                .withConcurrency(4));
    }

    private List<String> checksums() {
        return strings("SHOW TABLES LIKE 'acidq%'").stream().map(this::checksum).toList();
    }

    private String checksum(String table) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("CHECKSUM TABLE " + table)) {
            row.next();
            return table + " " + row.getString(2);
        } catch (SQLException e) {
            throw new IllegalStateException(table, e);
        }
    }

    private static List<MessageId> ids(List<DeadLetter> letters) {
        return letters.stream().map(DeadLetter::id).toList();
    }

    private static <T> Future<T> runAsync(Callable<T> work) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<T> future = thread.submit(work);
        thread.shutdown();
        return future;
    }
}
