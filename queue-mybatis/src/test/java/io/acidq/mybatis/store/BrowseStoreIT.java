package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.MessagePosition;
import io.acidq.admin.MessageQuery;
import io.acidq.admin.Messages.MessageSlice;
import io.acidq.admin.Operator;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.store.Claim;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.Expiry;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.InspectionStore.QueueSummary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The queries of operators. */
@EachStore
class BrowseStoreIT extends StoreFixture {

    private static final int MOST = 10_000;

    private InspectionStore browse() {
        return inspection;
    }

    private List<MessageState> states(MessageState wanted, int limit, int scanLimit) {
        return slice(query().withLimit(limit), wanted, scanLimit).messages().stream()
                .map(StoredMessage::state)
                .toList();
    }

    private MessageQuery query() {
        return MessageQuery.of(fixture.queue.name());
    }

    private MessageSlice slice(MessageQuery query, MessageState wanted, int scanLimit) {
        return browse().listMessages(fixture.queue, wanted == null ? query : query.withState(wanted), null, scanLimit);
    }

    /** Reads slice by slice, as a reader who continues does. */
    private List<StoredMessage> allSlices(MessageQuery query, Integer lane, int scanLimit) {
        List<StoredMessage> all = new ArrayList<>();
        MessageSlice slice = browse().listMessages(fixture.queue, query, lane, scanLimit);
        all.addAll(slice.messages());
        while (slice.next().isPresent()) {
            MessagePosition next = MessagePosition.parse(slice.next().get().toString());
            slice = browse().listMessages(fixture.queue, query.withAfter(next), lane, scanLimit);
            all.addAll(slice.messages());
        }
        return all;
    }

    /** Two ready messages, a parked and a scheduled one, a dead letter and a done one, of each of two types. */
    private void fillEveryTable() {
        for (String type : List.of("first", "second")) {
            fixture.deadLetter("dead", null, "k", "mark");
            fixture.enqueue(fixture.message(5, null, "done"));
            Claim done = fixture.claimOne(5).claim();
            transactions.run(() -> claims.archiveIfClaimed(done, Duration.ofDays(1)));
            setType(type);
        }
        for (String type : List.of("first", "second")) {
            fixture.enqueue(fixture.message(1, "parked", "parked"));
            fixture.execute(
                    "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time,"
                            + " type, headers, size, payload) SELECT queue, order_key, id, lane, uid, 0, 0, 0, enqueued_at, preexec_time,"
                            + " type, headers, size, payload FROM acidq_message WHERE queue = ? AND lane = 1",
                    fixture.queueId);
            fixture.execute("DELETE FROM acidq_message WHERE queue = ? AND lane = 1", fixture.queueId);
            fixture.enqueue(0, "k", "ready");
            fixture.enqueue(3, null, "ready");
            fixture.enqueue(fixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)));
            setType(type);
        }
    }

    private void setType(String type) {
        for (String table : List.of("message", "parked", "scheduled", "dead", "archive")) {
            fixture.execute(
                    "UPDATE acidq_" + table + " SET type = ? WHERE queue = ? AND type = 'type'", type, fixture.queueId);
        }
    }

    @Test
    void slicesHaveEachMessageOnceWhateverTheirLength() {
        fillEveryTable();
        List<UUID> all = uids(allSlices(query().withLimit(100), null, MOST));
        assertThat(all).hasSize(10);

        for (int limit : List.of(1, 2, 3)) {
            assertThat(uids(allSlices(query().withLimit(limit), null, MOST)))
                    .as("slices of %s", limit)
                    .isEqualTo(all);
        }
        assertThat(uids(allSlices(query().withState(MessageState.DONE).withLimit(1), null, MOST)))
                .hasSize(2)
                .doesNotContainAnyElementsOf(all);
    }

    @Test
    void slicesOfATypeAreFoundHoweverFewRowsOneLooksAt() {
        fillEveryTable();

        for (int scanLimit : List.of(1, 2, 3, MOST)) {
            assertThat(allSlices(query().withType("second").withLimit(2), null, scanLimit))
                    .as("looking at %s", scanLimit)
                    .hasSize(5)
                    .allMatch(message -> message.type().equals("second"));
            assertThat(allSlices(query().withType("second").withState(MessageState.DONE), null, scanLimit))
                    .hasSize(1);
            assertThat(allSlices(query().withState(MessageState.READY).withLimit(2), null, scanLimit))
                    .hasSize(6);
        }
        MessageSlice cut = slice(query().withType("none"), null, 1);
        assertThat(cut.messages()).isEmpty();
        assertThat(cut.scanned()).hasValue(1);
        assertThat(cut.next()).isPresent();
    }

    @Test
    void countsScheduledMessagesByTheirDueTime() {
        for (int hours : List.of(1, 1, 2)) {
            fixture.enqueue(fixture.message(0, null, "later", new Due(QueueFixture.HOUR.multipliedBy(hours), null)));
        }
        Instant now =
                slice(query(), MessageState.WAITING, MOST).messages().get(0).enqueuedAt();
        List<Instant> bounds = List.of(now, now.plusSeconds(1800), now.plusSeconds(5400), now.plusSeconds(9000));

        assertThat(browse().countScheduled(fixture.queueId, bounds, 10)).containsExactly(0, 2, 1);
        assertThat(browse().countScheduled(fixture.queueId, bounds, 1)).containsExactly(0, 1, 1);
    }

    @Test
    void anOrderingKeyIsLookedForInItsLane() {
        fillEveryTable();

        assertThat(allSlices(query().withOrderingKey("k").withLimit(2), 0, MOST))
                .hasSize(4)
                .allMatch(message -> message.orderingKey().equals(Optional.of("k")));
        assertThat(allSlices(query().withOrderingKey("parked").withLimit(1), 1, 1))
                .hasSize(2);
        assertThat(allSlices(query().withOrderingKey("K"), 0, MOST)).isEmpty();
    }

    @Test
    void slicesOfClaimedMessagesContinueInALaneAndInTheNext() {
        for (int lane : List.of(0, 0, 2)) {
            fixture.enqueue(lane, null, "runs");
        }
        fixture.claimOne(0);
        fixture.claimOne(0);
        fixture.claimOne(2);

        assertThat(uids(allSlices(query().withState(MessageState.RUNNING).withLimit(1), null, MOST)))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }

    private static List<UUID> uids(List<StoredMessage> messages) {
        return messages.stream().map(message -> message.id().uid()).toList();
    }

    @Test
    void listsTheMessagesOfAQueueByState() {
        new QueueFixture(database()).enqueue(0, null, "of another queue");
        fixture.enqueue(fixture.message(0, null, "ready"), fixture.message(1, "k", "waits for its retry"));
        fixture.enqueue(fixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)));
        fixture.enqueue(fixture.message(2, null, "runs"), fixture.message(4, null, "dies"));
        claims.retryIfClaimed(fixture.claimOne(1), QueueFixture.HOUR, List.of());
        fixture.claimOne(2);
        claims.deadLetterIfClaimed(fixture.claimOne(4).claim(), "broken", List.of());

        assertThat(states(null, 10, MOST))
                .containsExactly(
                        MessageState.READY,
                        MessageState.WAITING,
                        MessageState.RUNNING,
                        MessageState.WAITING,
                        MessageState.DEAD);
        assertThat(states(MessageState.READY, 10, MOST)).containsExactly(MessageState.READY);
        assertThat(states(MessageState.WAITING, 10, MOST)).containsExactly(MessageState.WAITING, MessageState.WAITING);
        assertThat(states(MessageState.RUNNING, 10, MOST)).containsExactly(MessageState.RUNNING);
        assertThat(states(MessageState.DEAD, 10, MOST)).containsExactly(MessageState.DEAD);
        assertThat(states(null, 2, MOST)).hasSize(2);
    }

    @Test
    void readsNoMoreRowsThanItsLimit() {
        for (int i = 0; i < 5; i++) {
            fixture.enqueue(0, null, "a");
        }
        assertThat(states(MessageState.READY, 10, 3)).hasSize(3);
    }

    @Test
    void listsParkedMessages() {
        fixture.enqueue(0, "k", "a");
        fixture.execute(
                "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time,"
                        + " type, headers, size, payload) SELECT queue, order_key, id, lane, uid, 0, 0, 0, enqueued_at, preexec_time,"
                        + " type, headers, size, payload FROM acidq_message WHERE queue = ?",
                fixture.queueId);
        fixture.execute("UPDATE acidq_message SET kind = 2 WHERE queue = ?", fixture.queueId);
        StoredMessage only = slice(query(), null, MOST).messages().get(0);
        assertThat(only.state()).isEqualTo(MessageState.READY);
        assertThat(only.orderingKey()).contains("k");
        assertThat(browse().findMessage(fixture.queue, only.id())).contains(only);
    }

    @Test
    void findsAMessageWhereverItIsWithWhatItCarries() {
        UUID uid = fixture.enqueue(0, "k", "the payload");
        MessageId id = new MessageId(fixture.queue.name(), 0, uid);
        assertThat(browse().findMessage(fixture.queue, id).orElseThrow().state())
                .isEqualTo(MessageState.READY);
        int owner = fixture.claimOne(0).claim().owner();
        StoredMessage running = browse().findMessage(fixture.queue, id).orElseThrow();
        assertThat(running.node()).hasValue(owner);
        assertThat(running.size()).isEqualTo("the payload".length());
        assertThat(new String(browse().content(fixture.queue, id).orElseThrow().payload(), StandardCharsets.UTF_8))
                .isEqualTo("the payload");
        MessageId unknown = new MessageId(fixture.queue.name(), 0, UUID.randomUUID());
        assertThat(browse().findMessage(fixture.queue, unknown)).isEmpty();
        assertThat(browse().content(fixture.queue, unknown)).isEmpty();
    }

    @Test
    void tellsTheExpiryInEachTable() {
        MessageRow row = fixture.message(0, null, "a");
        MessageRow scheduled = fixture.message(0, null, "b", new Due(QueueFixture.HOUR, null));
        MessageRow lives = fixture.message(0, null, "c");
        fixture.enqueue(
                withExpiry(row, new Expiry(null, Instant.EPOCH.plusSeconds(1))),
                withExpiry(scheduled, new Expiry(QueueFixture.HOUR, null)),
                lives);

        assertThat(find(row).expiresAt()).contains(Instant.EPOCH.plusSeconds(1));
        assertThat(find(row).expired()).isTrue();
        assertThat(find(scheduled).expiresAt()).isPresent();
        assertThat(find(scheduled).expired()).isFalse();
        assertThat(find(lives).expiresAt()).isEmpty();
        assertThat(find(lives).expired()).isFalse();
        store.claims().deadLetterIfClaimed(fixture.claimOne(0).claim(), "expired", List.of());
        assertThat(find(row).expiresAt()).contains(Instant.EPOCH.plusSeconds(1));
        assertThat(fixture.deadLetters(1).get(0).expiresAt()).contains(Instant.EPOCH.plusSeconds(1));
    }

    private static MessageRow withExpiry(MessageRow row, Expiry expiry) {
        return new MessageRow(
                row.queue(),
                row.lane(),
                row.uid(),
                null,
                null,
                row.type(),
                row.headers(),
                row.payload(),
                row.due(),
                expiry);
    }

    private StoredMessage find(MessageRow row) {
        return browse().findMessage(fixture.queue, new MessageId(fixture.queue.name(), 0, row.uid()))
                .orElseThrow();
    }

    @Test
    void namesTheHolderOfAMessageKey() {
        UUID uid = UUID.randomUUID();
        transactions.run(() -> fixture.takeKey("order 7", uid, Duration.ofDays(1)));
        assertThat(browse().keyHolder(fixture.queue, "order 7")).contains(new MessageId(fixture.queue.name(), 0, uid));
        assertThat(browse().keyHolder(fixture.queue, "order 8")).isEmpty();
    }

    @Test
    void listsQueuesAndLivingNodes() {
        queues.pauseIfRunning(fixture.queueId, new Operator("ann", "test"));
        assertThat(browse().queues(MOST)).contains(new QueueSummary(fixture.queueId, fixture.queue.name(), true));
        int ended = fixture.newNode();
        nodes.markStopped(ended, QueueFixture.REGISTRATION);
        assertThat(browse().livingNodes(MOST))
                .extracting(LivingNode::node)
                .contains(fixture.node)
                .doesNotContain(ended);
        assertThat(browse().livingNodes(MOST))
                .filteredOn(n -> n.node() == fixture.node)
                .singleElement()
                .satisfies(n -> assertThat(n.workers()).isEqualTo(Map.of(fixture.queueId, 2)));
        assertThat(browse().queues(1)).hasSize(1);
    }
}
