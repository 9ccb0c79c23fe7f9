package io.acidq.cli;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.cli.Shell.Result;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Every command and each of its errors, on tables with messages. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(Lifecycle.PER_CLASS)
class CommandsIT {

    @Parameter
    private ServerKind kind;

    private TestDatabase database;
    private Shell shell;
    private JdbcTransactions transactions;
    private Engine engine;

    @BeforeParameterizedClassInvocation
    void fillAQueue() {
        database = TestServers.get(kind).createDatabase();
        shell = Shell.of(database);
        DirectDataSource direct = new DirectDataSource(database.jdbcUrl(), database.username(), database.password());
        Schema.create(direct);
        transactions = new JdbcTransactions(direct);
        engine = Engine.builder(MyBatisStore.over(direct, transactions)).build();
        enqueue("orders", "order 1");
        enqueue("orders", "order 2");
    }

    private MessageId enqueue(String queue, String key) {
        return transactions.call(() -> engine.queue()
                .enqueue(queue, "payload of " + key, options().key(key))
                .id());
    }

    /** Makes dead letters with a handler that always fails, in a separate engine. */
    private void makeDeadLetter(String queue, int letters) {
        for (int i = 0; i < letters; i++) {
            enqueue(queue, "doomed " + UUID.randomUUID());
        }
        awaitDead(queue, letters, QueueConfig.defaults());
    }

    private void awaitDead(String queue, int letters, QueueConfig settings) {
        DirectDataSource direct = new DirectDataSource(database.jdbcUrl(), database.username(), database.password());
        try (Engine worker = Engine.builder(MyBatisStore.over(direct))
                .config(EngineConfig.defaults().withQueue(queue, settings))
                .listen(Listener.on(queue, String.class, (message, delivery) -> Outcome.dead("no such customer")))
                .build()) {
            worker.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> worker.backlog(queue).dead() == letters);
        }
    }

    @Test
    void listsQueuesWithTheirBacklogAndNodes() {
        Result result = shell.run("queues");
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("QUEUE").containsPattern("orders +no +2 +0 +0 +0 +0 +\\d+\\w.* +-");

        JsonNode queue = shell.run("queues", "--json").json().at("/queues/0");
        assertThat(queue.propertyNames())
                .contains(
                        "queue", "paused", "ready", "running", "waiting", "scheduled", "dead", "complete", "servedBy");
    }

    @Test
    void addsListsAndRemovesASubscription() {
        assertThat(shell.run("topics", "subscribe", "order.placed", "mail", "--filter", "region = 'eu'")
                        .out())
                .contains("subscription 'mail' of topic 'order.placed' is added");
        transactions.run(
                () -> engine.queue().publish("order.placed", "x", options().header("region", "eu")));

        assertThat(shell.run("topics", "list").out())
                .containsPattern("order.placed +mail +active +\\S+ +region = 'eu'");
        assertThat(shell.run("topics", "list", "other", "--json")
                        .json()
                        .at("/subscriptions")
                        .isEmpty())
                .isTrue();
        Result wrong = shell.run("topics", "subscribe", "order.placed", "stock", "--filter", "region");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("[region] has its end");
        assertThat(shell.run("topics", "subscribe", "order placed", "stock").code())
                .isEqualTo(2);

        String[] remove = {
            "topics",
            "unsubscribe",
            "order.placed",
            "mail",
            "--remaining",
            "discard",
            "--actor",
            "ann",
            "--reason",
            "INC-5"
        };
        Result refused = shell.run(remove);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("'order.placed/mail'", "--yes");
        String[] confirmed = Arrays.copyOf(remove, remove.length + 1);
        confirmed[remove.length] = "--yes";
        assertThat(shell.run(confirmed).out()).contains("is removed");
        assertThat(shell.run("messages", "order.placed/mail").out()).doesNotContain("READY");
        assertThat(shell.run("topics", "list").out()).doesNotContain("mail");
    }

    @Test
    void startsASubscriptionFromTheArchiveOfAnotherWithAReason() throws SQLException {
        shell.run("topics", "subscribe", "order.placed", "billing");
        transactions.run(() -> engine.queue().publish("order.placed", "x"));
        String[] start = {"topics", "subscribe", "order.placed", "mail", "--from-archive", "billing", "--since", "1d"};
        Result withoutReason = shell.run(start);
        assertThat(withoutReason.code()).isNotZero();
        assertThat(withoutReason.err()).contains("--reason");
        String[] complete = Arrays.copyOf(start, start.length + 3);
        complete[start.length] = "--reason";
        complete[start.length + 1] = "INC-5";
        complete[start.length + 2] = "--json";
        Result withoutArchive = shell.run(complete);
        assertThat(withoutArchive.code()).isNotZero();
        assertThat(withoutArchive.out() + withoutArchive.err()).contains("no message in the archive");
        archive("order.placed/billing");
        assertThat(shell.run(complete).json().at("/copied").asInt()).isEqualTo(2);
    }

    /** Puts a message into the archive of a queue. */
    private void archive(String queue) throws SQLException {
        transactions.run(() -> {
            try (Statement statement = transactions.connection().createStatement()) {
                statement.execute(
                        "INSERT INTO acidq_archive (kept_until, uid, queue, lane, done_at, claim_no, attempts, crashes,"
                                + " enqueued_at, type, headers, size, payload) SELECT UTC_TIMESTAMP(6) + INTERVAL 1 DAY,"
                                + " REPEAT('u', 16), id, 0, UTC_TIMESTAMP(6), 1, 1, 0, UTC_TIMESTAMP(6), 'String', '', 3, '\"x\"' FROM"
                                + " acidq_queue WHERE name = '" + queue + "'");
            }
        });
    }

    @Test
    void listsChangesAndTriggersARecurringMessage() {
        transactions.run(() -> engine.recurring()
                .put(Recurring.message("nightly", Schedule.cron("0 30 2 * * *", "Europe/Berlin"), "reports")));

        assertThat(shell.run("recurring", "list", "night").out())
                .containsPattern("nightly +active +\\S+ +0 30 2 \\* \\* \\* +Europe/Berlin +once +reports");
        assertThat(shell.run("recurring", "next", "nightly", "--limit", "3", "--json")
                        .json()
                        .at("/next"))
                .hasSize(3);
        assertThat(change("trigger", "nightly").out()).contains("is triggered");
        assertThat(shell.run("recurring", "ticks", "nightly").out()).contains("TRIGGERED");
        assertThat(shell.run("messages", "reports").out()).contains("READY");
        assertThat(change("pause", "nightly").out()).contains("is paused");
        assertThat(change("pause", "nightly").out()).contains("is paused already");
        assertThat(shell.run("recurring", "list").out()).containsPattern("nightly +paused");
        assertThat(change("resume", "nightly").out()).contains("is resumed");
        assertThat(change("reschedule", "nightly", "every 30s").out()).contains("is rescheduled");
        Result wrong = change("reschedule", "nightly", "0 61 2 * * *", "--zone", "UTC");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(shell.run("recurring", "list", "--limit", "0").code()).isEqualTo(2);
        assertThat(shell.run("recurring", "ticks", "nightly", "--limit", "0").code())
                .isEqualTo(2);
        assertThat(shell.run("recurring", "next", "nightly", "--limit", "2000").code())
                .isEqualTo(2);
        assertThat(wrong.err()).contains("the field minute cannot be '61': write 0 to 59");
        assertThat(change("remove", "nightly").out()).contains("is removed");
        Result unknown = change("trigger", "nightly");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("there is no recurring message 'nightly'");
    }

    private Result change(String... command) {
        return shell.run(Stream.concat(
                        Stream.concat(Stream.of("recurring"), Arrays.stream(command)),
                        Stream.of("--actor", "ann", "--reason", "INC-7"))
                .toArray(String[]::new));
    }

    @Test
    void cancelsAMessageByItsKeyOrItsId() {
        String id = shell.run("messages", "orders", "--key", "order 1", "--json")
                .json()
                .at("/messages/0/id")
                .asString();
        String[] byKey = {"cancel", "--queue", "orders", "--key", "order 1", "--actor", "ann", "--reason", "INC-6"};
        assertThat(shell.run(byKey).out()).contains("message " + id + " is cancelled");
        Result again = shell.run("cancel", id, "--reason", "INC-6", "--json");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.json().at("/result").asString()).isEqualTo("GONE");
        assertThat(shell.run(byKey).err()).contains("no current message of queue 'orders' holds the key 'order 1'");
        assertThat(shell.run("cancel", "--queue", "orders", "--reason", "x").code())
                .isEqualTo(2);
    }

    @Test
    void cancelsTheMessagesThatMatchOnlyWithYes() throws Exception {
        transactions.run(() -> {
            engine.queue().enqueue("bulk", "a", options().orderingKey("k"));
            engine.queue().enqueue("bulk", "b");
        });
        String[] dry = {"cancel", "--queue", "bulk", "--ordering-key", "k", "--reason", "INC-8"};
        assertThat(shell.run(dry).out())
                .contains("1 message of queue 'bulk' would be cancelled")
                .contains("nothing was changed: add --yes");
        Result done = shell.run(
                "cancel", "--queue", "bulk", "--all", "--before", "0s", "--yes", "--reason", "INC-8", "--json");
        assertThat(done.json().at("/cancelled").asInt()).isEqualTo(2);
        assertThat(done.json().at("/complete").asBoolean()).isTrue();
        assertThat(shell.run("cancel", "--all", "--reason", "x").err()).contains("need --queue");
        assertThat(shell.run("cancel", "--queue", "bulk", "--key", "k", "--yes", "--reason", "x")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void showsWhenMessagesExpire() throws Exception {
        MessageId id = transactions.call(() -> engine.queue()
                .enqueue("offers", "order", options().expiresAt(Instant.parse("2020-01-01T00:00:00Z")))
                .id());
        assertThat(shell.run("messages", "--id", id.toString()).out()).contains("(expired)");
        JsonNode message =
                shell.run("messages", "--id", id.toString(), "--json").json().at("/messages/0");
        assertThat(message.path("expiresAt").asString()).isEqualTo("2020-01-01T00:00:00Z");
        assertThat(message.path("expired").asBoolean()).isTrue();
        assertThat(shell.run("why", id.toString()).out()).contains("it has expired at 2020-01-01T00:00:00Z");
    }

    @Test
    void showsAReceiptAndItsResult() throws Exception {
        MessageId id = transactions.call(() -> engine.queue()
                .enqueue("quoted", "order", options().key("q-1").result(Duration.ofHours(1)))
                .id());
        assertThat(shell.run("receipt", "--id", id.toString()).out()).containsPattern("PENDING +- +- +-");
        assertThat(shell.run("receipt", "--id", id.toString(), "--committed").out())
                .isEqualTo("YES\n");
        DirectDataSource direct = new DirectDataSource(database.jdbcUrl(), database.username(), database.password());
        try (Engine worker = Engine.builder(MyBatisStore.over(direct))
                .listen(Listener.on("quoted", String.class, (message, delivery) -> Outcome.done("4711 EUR")))
                .build()) {
            worker.start();
            worker.receipts().await(id, Duration.ofMinutes(1));
        }
        Result byKey = shell.run("receipt", "quoted", "--key", "q-1");
        assertThat(byKey.out()).contains(id.toString(), "DONE", "String").doesNotContain("4711");
        JsonNode json = shell.run("receipt", "--id", id.toString(), "--payload", "--json")
                .json();
        assertThat(json.at("/state").asString()).isEqualTo("DONE");
        assertThat(json.at("/payload").asString()).isEqualTo("\"4711 EUR\"");
        MessageId without = enqueue("quoted", "q-2");
        Result none = shell.run("receipt", "--id", without.toString());
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("it was enqueued without one");
        assertThat(shell.run("receipt", "quoted").err()).contains("give a message with --id, or a queue and --key");
    }

    @Test
    void showsPayloadsOnlyWithTheOptionPayload() {
        Result result = shell.run("messages", "orders");
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("READY", "order 1", "order 2").doesNotContain("payload of");
        assertThat(shell.run("messages", "orders", "--state", "dead").out()).doesNotContain("READY");
        assertThat(shell.run("messages", "orders", "--limit", "1", "--json")
                        .json()
                        .at("/messages"))
                .hasSize(1);

        JsonNode message = shell.run("messages", "orders", "--key", "order 1", "--payload", "--json")
                .json()
                .at("/messages/0");
        assertThat(message.get("payload").asString()).isEqualTo("\"payload of order 1\"");
        assertThat(message.get("enqueuedAt").asString()).endsWith("Z");
        String id = message.get("id").asString();
        assertThat(shell.run("messages", "--id", id).out()).contains(id);
    }

    @Test
    void saysWhyAMessageDoesNotRun() {
        String id = shell.run("messages", "orders", "--key", "order 1", "--json")
                .json()
                .at("/messages/0/id")
                .asString();
        Result result = shell.run("why", id);
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("NO_LISTENER", "no living node has a listener of queue 'orders'");
        assertThat(shell.run("why", id, "--json").json().get("reason").asString())
                .isEqualTo("NO_LISTENER");
    }

    @Test
    void recordsActorAndReasonOfAPause() {
        enqueue("paused", "a");
        Result result = shell.run("pause", "paused", "--actor", "ann", "--reason", "partner is down");
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("queue 'paused' is paused");
        assertThat(shell.run("pause", "paused", "--reason", "again", "--json")
                        .json()
                        .get("changed")
                        .asBoolean())
                .isFalse();
        assertThat(shell.run("resume", "paused", "--actor", "bob", "--reason", "partner is back")
                        .out())
                .contains("is resumed");
        assertThat(engine.audit().recent(100))
                .filteredOn(e -> e.queue().equals("paused"))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .hasToString("[(\"resume\", \"bob\", \"partner is back\"), (\"pause\", \"ann\", \"partner is down\")]");
    }

    @Test
    void editsADeadLetterAndReplaysIt(@TempDir Path folder) throws IOException {
        makeDeadLetter("edited", 1);
        String id = shell.run("dead", "list", "edited", "--json")
                .json()
                .at("/deadLetters/0/id")
                .asString();
        Path file = Files.writeString(folder.resolve("payload.json"), "\"better\"");
        String[] edit = {
            "dead", "edit", id, "--payload=@" + file, "--header", "a=1", "--actor", "ann", "--reason", "typo"
        };

        assertThat(shell.run(edit).out()).contains("would be replayed with a payload of 8 bytes", "add --yes");
        assertThat(engine.backlog("edited").dead()).isEqualTo(1);
        List<String> withYes = new ArrayList<>(List.of(edit));
        withYes.add("--yes");
        assertThat(shell.run(withYes.toArray(String[]::new)).out()).contains("was replayed");
        assertThat(engine.messages().content(MessageId.parse(id))).hasValueSatisfying(content -> {
            assertThat(new String(content.payload(), StandardCharsets.UTF_8)).isEqualTo("\"better\"");
            assertThat(content.headers()).containsExactly(Map.entry("a", "1"));
        });
        Result again = shell.run(withYes.toArray(String[]::new));
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("is no dead letter");
        assertThat(shell.run("dead", "edit", id, "--payload=@" + folder.resolve("none"), "--reason", "typo")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void changesDeadLettersOnlyWithYesAndRecordsIt() {
        makeDeadLetter("dead", 3);
        JsonNode listed =
                shell.run("dead", "list", "dead", "--since", "1h", "--json").json();
        assertThat(listed.get("matched").asInt()).isEqualTo(3);
        assertThat(listed.at("/deadLetters/0").propertyNames())
                .contains("id", "type", "attempts", "crashes", "diedAt", "cause", "error")
                .doesNotContain("payload");
        String cause = listed.at("/deadLetters/0/cause").asString();
        assertThat(shell.run("dead", "list", "dead").out()).contains("no such customer", "3 of 3");
        assertThat(shell.run("dead", "list", "dead", "--groups").out()).contains(cause);
        assertThat(shell.run("dead", "list", "dead", "--until", "1h").out()).contains("0 of 0");

        Result dry = shell.run("dead", "replay", "dead", "--cause", cause, "--reason", "mended");
        assertThat(dry.code()).isZero();
        assertThat(dry.out())
                .contains("3 dead letters of queue 'dead' would be replayed", "nothing was changed: add --yes");
        assertThat(engine.backlog("dead").dead()).isEqualTo(3);

        Result replayed = shell.run(
                "dead",
                "replay",
                "dead",
                "--limit",
                "1",
                "--rate",
                "100",
                "--actor",
                "ann",
                "--reason",
                "mended",
                "--yes");
        assertThat(replayed.out()).contains("1 dead letter of queue 'dead' was replayed, of 3 matching");
        JsonNode discarded = shell.run("dead", "discard", "dead", "--reason", "useless", "--yes", "--json")
                .json();
        assertThat(discarded.get("changed").asInt()).isEqualTo(2);
        assertThat(discarded.get("dryRun").asBoolean()).isFalse();
        assertThat(engine.backlog("dead").dead()).isZero();
        assertThat(engine.audit().recent(100))
                .filteredOn(e -> e.queue().equals("dead"))
                .extracting(AuditEntry::action)
                .containsExactly("discard", "replay");
    }

    @Test
    void replaysOrDiscardsOneDeadLetterByItsId() {
        makeDeadLetter("single", 2);
        JsonNode listed = shell.run("dead", "list", "single", "--json").json().at("/deadLetters");
        String first = listed.at("/0/id").asString();
        String second = listed.at("/1/id").asString();
        assertThat(shell.run("dead", "list", second).out())
                .contains(second, "1 of 1")
                .doesNotContain(first);

        JsonNode would = shell.run("dead", "replay", second, "--reason", "mended", "--json")
                .json();
        assertThat(would.get("wouldChange").asInt()).isEqualTo(1);
        assertThat(would.has("changed")).isFalse();
        assertThat(engine.backlog("single").dead()).isEqualTo(2);

        Result replayed = shell.run("dead", "replay", second, "--actor", "ann", "--reason", "mended", "--yes");
        assertThat(replayed.out()).contains("1 dead letter of queue 'single' was replayed, of 1 matching");
        Result again = shell.run("dead", "replay", second, "--reason", "mended", "--yes");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err())
                .contains("message " + second + " cannot be replayed: it is no dead letter", "acidq why")
                .hasLineCount(1);
        shell.run("dead", "discard", first, "--actor", "bob", "--reason", "useless", "--yes");
        assertThat(engine.backlog("single").dead()).isZero();
        assertThat(engine.audit().recent(100))
                .filteredOn(e -> e.queue().equals("single"))
                .extracting(e -> e.message().orElseThrow().toString(), AuditEntry::action, AuditEntry::actor)
                .containsExactly(tuple(first, "discard", "bob"), tuple(second, "replay", "ann"));
    }

    @Test
    void listsAndReleasesABlockedOrderingKey() {
        List<MessageId> held = transactions.call(() -> Stream.of("first", "second")
                .map(text -> engine.queue()
                        .enqueue("held", text, options().orderingKey("customer 7"))
                        .id())
                .toList());
        awaitDead("held", 1, QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.BLOCK));
        assertThat(shell.run("dead", "blocked", "held").out())
                .contains("customer 7", held.get(0) + "", "no such customer");

        String[] release = {
            "dead", "release", "held", "--ordering-key", "customer 7", "--actor", "ann", "--reason", "INC-4"
        };
        Result dry = shell.run(release);
        assertThat(dry.out())
                .contains("would be released from dead letter " + held.get(0) + "; waiting behind it: 1", "add --yes");
        assertThat(shell.run("dead", "blocked", "held", "--json")
                        .json()
                        .at("/blockedKeys/0/deadLetter")
                        .asString())
                .isEqualTo(held.get(0).toString());

        String[] confirmed = Arrays.copyOf(release, release.length + 1);
        confirmed[release.length] = "--yes";
        assertThat(shell.run(confirmed).code()).isZero();
        assertThat(shell.run("dead", "blocked", "held", "--json").json().at("/blockedKeys"))
                .isEmpty();
        Result again = shell.run(confirmed);
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err())
                .contains("ordering key 'customer 7' of queue 'held' is not blocked")
                .hasLineCount(1);
        assertThat(engine.audit().of(held.get(0)))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .containsExactly(tuple("release", "ann", "INC-4"));
    }

    @Test
    void printsComparesAndCreatesTables() throws Exception {
        assertThat(Shell.bare("schema", "print", "--dialect", "mysql").out())
                .contains("CREATE TABLE IF NOT EXISTS acidq_message");
        assertThat(shell.run("schema", "print", "--json").json().get("dialect").asString())
                .isEqualTo(kind.name());
        assertThat(shell.run("schema", "check").code()).isZero();

        TestDatabase empty = TestServers.get(kind).createDatabase();
        Shell there = Shell.of(empty);
        Result missing = there.run("schema", "check", "--json");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.json().get("fits").asBoolean()).isFalse();
        assertThat(missing.json().get("differences").asString()).contains("table acidq_queue is missing");

        Result refused = there.run("schema", "apply");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("nothing was created").hasLineCount(1);
        assertThat(there.run("schema", "check").code()).isEqualTo(1);

        assertThat(there.run("schema", "apply", "--yes").out()).contains("exist");
        assertThat(there.run("schema", "check").out()).contains("the tables match version");
    }

    @Test
    void refusesTablesThatAreMissingOrOfAnotherVersionInOneLine() throws Exception {
        TestDatabase empty = TestServers.get(kind).createDatabase();
        Result missing = Shell.of(empty).run("queues");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err())
                .contains("is missing", "acidq schema check")
                .hasLineCount(1)
                .doesNotContain("\tat ");
        assertThat(missing.out()).isEmpty();

        Schema.create(new DirectDataSource(empty.jdbcUrl(), empty.username(), empty.password()));
        try (Connection connection = empty.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE acidq_schema SET version = 0");
        }
        Result older = Shell.of(empty).run("messages", "orders");
        assertThat(older.code()).isEqualTo(1);
        assertThat(older.err()).contains("they have version 0").hasLineCount(1);
    }

    /** A script has only the exit code. */
    @Test
    void exitsWithOneIfTheDoctorFindsAProblem() throws Exception {
        TestDatabase empty = TestServers.get(kind).createDatabase();
        Result broken = Shell.of(empty).run("doctor", "--watch", "0s", "--json");
        assertThat(broken.json().get("worst").asString()).isEqualTo("PROBLEM");
        assertThat(broken.code()).isEqualTo(1);

        Schema.create(new DirectDataSource(empty.jdbcUrl(), empty.username(), empty.password()));
        Result repaired = Shell.of(empty).run("doctor", "--watch", "0s");
        assertThat(repaired.code()).as(repaired.out()).isZero();
    }

    @Test
    void refusesAnUnknownQueueAndAnUnknownMessage() {
        for (String[] command : List.of(
                new String[] {"messages", "nowhere"},
                new String[] {"dead", "list", "nowhere"},
                new String[] {"pause", "nowhere", "--reason", "x"},
                new String[] {"why", "nowhere~0~" + new UUID(1, 2)})) {
            Result result = shell.run(command);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.err()).contains("there is no queue 'nowhere'").hasLineCount(1);
        }
        assertThat(shell.run("messages", "orders", "--key", "none").err()).contains("holds the key 'none'");
        Result gone = shell.run("messages", "--id", "orders~0~" + new UUID(1, 2));
        assertThat(gone.code()).isEqualTo(1);
        assertThat(gone.err()).contains("is in none of the tables");
    }

    @Test
    void reportsAnUnreachableServerOrARejectedAccountInOneLine() {
        Shell wrong = new Shell(shell.url(), "nobody_at_all", "wrong-Secret-1");
        for (String command : List.of("queues", "doctor")) {
            Result result = wrong.run(command);
            assertThat(result.code()).as(result.err()).isEqualTo(3);
            assertThat(result.err())
                    .contains("nobody_at_all")
                    .hasLineCount(1)
                    .doesNotContain("wrong-Secret-1", "\tat ");
        }
        Result unreachable = shell.withUrl(shell.url().replaceFirst("//[^/]+/", "//127.0.0.1:1/"))
                .run("queues", "--json");
        assertThat(unreachable.code()).isEqualTo(3);
        JsonNode error = new Result(0, unreachable.err(), "").json();
        assertThat(error.get("exitCode").asInt()).isEqualTo(3);
        assertThat(error.get("error").asString()).isNotBlank();
        assertThat(unreachable.out()).isEmpty();
        assertThat(shell.withUrl(shell.url().replaceFirst("//[^/]+/", "//127.0.0.1:1/"))
                        .run("queues", "--verbose")
                        .err())
                .contains("\tat ");
    }

    @Test
    void exitsWithTwoForWrongValuesOfOptions() {
        for (String[] command : List.of(
                new String[] {"dead", "list", "orders", "--cause=zz"},
                new String[] {"dead", "list", "orders", "--limit=0"},
                new String[] {"dead", "replay", "orders", "--limit=0", "--reason=x"},
                new String[] {"dead", "discard", "orders", "--rate=-1", "--reason=x"},
                new String[] {"pause", "orders", "--reason="},
                new String[] {"resume", "orders", "--reason="})) {
            Result result = shell.run(command);
            assertThat(result.code()).as(result.err()).isEqualTo(2);
            assertThat(result.err()).hasLineCount(1);
        }
    }

    /** Regression: these errors were reported as missing tables, with an exit code that depended on the command. */
    @Test
    void reportsAnUnknownDatabaseAndAUrlWithoutDatabase() {
        String server = shell.url().replaceFirst("(//[^/]+/)[^?]*", "$1");
        Shell unknown = shell.withUrl(shell.url().replaceFirst("(//[^/]+/)[^?]*", "$1acidq_nowhere"));
        for (String command : List.of("queues", "doctor", "schema check", "schema apply --yes")) {
            Result none = shell.withUrl(server).run(command.split(" "));
            assertThat(none.code()).as(none.err()).isEqualTo(2);
            assertThat(none.err()).contains("the URL names no database").hasLineCount(1);

            Result nowhere = unknown.run(command.split(" "));
            assertThat(nowhere.code()).as(nowhere.err()).isEqualTo(3);
            assertThat(nowhere.err())
                    .contains("there is no database acidq_nowhere", "CREATE DATABASE acidq_nowhere")
                    .hasLineCount(1);
        }
        assertThat(shell.withUrl(server).run("schema", "print").code()).isZero();
    }

    /** Regression: field names once depended on the locale. */
    @Test
    void writesTheSameJsonInEveryLocale() {
        Locale before = Locale.getDefault();
        String english = shell.run("doctor", "--watch", "0s", "--json")
                .json()
                .at("/findings/1")
                .toString();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(shell.run("doctor", "--watch", "0s", "--json").json().at("/findings/1"))
                    .hasToString(english);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void readsThePasswordFromAFileWithoutShowingIt(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("password"), database.password() + "\n");
        Result result = Shell.bare("queues", "--url", shell.url(), "--user", shell.user(), "--password=@" + file);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(Shell.bare("queues", "--url", shell.url(), "--password=@/no/such/file")
                        .err())
                .contains("cannot read the password file: /no/such/file");
    }

    @Test
    void runsAsTheJarThatIsBuilt(@TempDir Path folder) throws Exception {
        Path jar = Path.of("target", "acidq.jar").toAbsolutePath();
        assertThat(jar).as("made in the phase package").exists();
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                jar.toString(),
                "queues",
                "--json");
        builder.environment().put("ACIDQ_URL", shell.url());
        builder.environment().put("ACIDQ_USER", shell.user());
        builder.environment().put("ACIDQ_PASSWORD", shell.password());
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(err).isEmptyFile();
        assertThat(process.exitValue()).isZero();
        assertThat(new Result(0, Files.readString(out), "").json().at("/queues"))
                .isNotEmpty();
    }
}
