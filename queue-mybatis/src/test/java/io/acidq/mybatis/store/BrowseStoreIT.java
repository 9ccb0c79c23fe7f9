package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.MessageState;
import io.acidq.admin.StoredMessage;
import io.acidq.store.Due;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.InspectionStore.QueueSummary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What people look at. */
@EachStore
class BrowseStoreIT extends StoreFixture {

    private static final int MOST = 10_000;

    private InspectionStore browse() {
        return store.inspection();
    }

    private List<MessageState> states(MessageState wanted, int limit, int lookedAt) {
        return browse().listMessages(queueFixture.queue, wanted, limit, lookedAt).stream()
                .map(StoredMessage::state)
                .toList();
    }

    @Test
    void listsTheMessagesOfAQueueByState() {
        new QueueFixture(database()).enqueue(0, null, "of another queue");
        queueFixture.enqueue(
                queueFixture.message(0, null, "ready"), queueFixture.message(1, "k", "waits for its retry"));
        queueFixture.enqueue(queueFixture.message(0, null, "later", new Due(QueueFixture.HOUR, null)));
        queueFixture.enqueue(queueFixture.message(2, null, "runs"), queueFixture.message(4, null, "dies"));
        claims.retryIfClaimed(queueFixture.claimOne(1), QueueFixture.HOUR, List.of());
        queueFixture.claimOne(2);
        claims.deadLetterIfClaimed(queueFixture.claimOne(4).claim(), "broken", List.of());

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
    void looksAtNoMoreRowsThanItIsTold() {
        for (int i = 0; i < 5; i++) {
            queueFixture.enqueue(0, null, "a");
        }
        assertThat(states(MessageState.READY, 10, 3)).hasSize(3);
    }

    @Test
    void listsMessagesThatAreSetAside() {
        queueFixture.enqueue(0, "k", "a");
        queueFixture.execute(
                "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time,"
                        + " type, headers, size, payload) SELECT queue, order_key, id, lane, uid, 0, 0, 0, enqueued_at, preexec_time,"
                        + " type, headers, size, payload FROM acidq_message WHERE queue = ?",
                queueFixture.queue.id());
        queueFixture.execute("UPDATE acidq_message SET kind = 2 WHERE queue = ?", queueFixture.queue.id());
        StoredMessage only =
                browse().listMessages(queueFixture.queue, null, 10, MOST).get(0);
        assertThat(only.state()).isEqualTo(MessageState.READY);
        assertThat(only.orderingKey()).contains("k");
        assertThat(browse().findMessage(queueFixture.queue, only.id())).contains(only);
    }

    @Test
    void findsAMessageWhereverItIsWithWhatItCarries() {
        UUID uid = queueFixture.enqueue(0, "k", "the payload");
        MessageId id = new MessageId(queueFixture.queue.name(), 0, uid);
        assertThat(browse().findMessage(queueFixture.queue, id).orElseThrow().state())
                .isEqualTo(MessageState.READY);
        int owner = queueFixture.claimOne(0).claim().owner();
        StoredMessage running = browse().findMessage(queueFixture.queue, id).orElseThrow();
        assertThat(running.node()).hasValue(owner);
        assertThat(running.size()).isEqualTo("the payload".length());
        assertThat(new String(
                        browse().content(queueFixture.queue, id).orElseThrow().payload(), StandardCharsets.UTF_8))
                .isEqualTo("the payload");
        MessageId unknown = new MessageId(queueFixture.queue.name(), 0, UUID.randomUUID());
        assertThat(browse().findMessage(queueFixture.queue, unknown)).isEmpty();
        assertThat(browse().content(queueFixture.queue, unknown)).isEmpty();
    }

    @Test
    void namesTheHolderOfAMessageKey() {
        UUID uid = UUID.randomUUID();
        database().transactions().run(() -> queueFixture.takeKey("order 7", uid, Duration.ofDays(1)));
        assertThat(browse().keyHolder(queueFixture.queue, "order 7"))
                .contains(new MessageId(queueFixture.queue.name(), 0, uid));
        assertThat(browse().keyHolder(queueFixture.queue, "order 8")).isEmpty();
    }

    @Test
    void listsQueuesAndLivingNodes() {
        store.queues().pauseIfRunning(queueFixture.queue.id(), "ann", "test");
        assertThat(browse().queues(MOST))
                .contains(new QueueSummary(queueFixture.queue.id(), queueFixture.queue.name(), true));
        int ended = queueFixture.newNode();
        nodes.retire(ended);
        assertThat(browse().livingNodes(MOST))
                .extracting(LivingNode::node)
                .contains(queueFixture.node)
                .doesNotContain(ended);
        assertThat(browse().livingNodes(MOST))
                .filteredOn(n -> n.node() == queueFixture.node)
                .singleElement()
                .satisfies(n -> assertThat(n.workers()).isEqualTo(Map.of(queueFixture.queue.id(), 2)));
        assertThat(browse().queues(1)).hasSize(1);
    }
}
