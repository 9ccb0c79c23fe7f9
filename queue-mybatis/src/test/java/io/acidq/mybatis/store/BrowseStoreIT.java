package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.Operator;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.Expiry;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.InspectionStore.QueueSummary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The queries of operators. */
@EachStore
class BrowseStoreIT extends StoreFixture {

    private static final int MOST = 10_000;

    private InspectionStore browse() {
        return inspection;
    }

    private List<MessageState> states(MessageState wanted, int limit, int lookedAt) {
        return browse().listMessages(fixture.queue, wanted, limit, lookedAt).stream()
                .map(StoredMessage::state)
                .toList();
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
        StoredMessage only =
                browse().listMessages(fixture.queue, null, 10, MOST).get(0);
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
