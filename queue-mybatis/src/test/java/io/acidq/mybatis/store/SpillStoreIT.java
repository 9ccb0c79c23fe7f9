package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.MessageRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A crowd of followers of a closed ordering key in front of a lane. */
@EachStore
class SpillStoreIT extends StoreFixture {

    private static final int CROWD = ParkedMessages.CROWD + 3 * ParkedMessages.FEW;

    @Test
    void clearsTheWayForOthersAndKeepsTheOrder() throws Exception {
        enqueueHot(1, CROWD);
        ClaimedMessage head = scene.claimOne(0);
        scene.enqueue(0, "other", "after the crowd");
        assertThat(Scene.texts(scene.claim(0, 1))).containsExactly("after the crowd");
        assertThat(scene.count("acidq_parked")).isEqualTo(CROWD - 1 - ParkedMessages.FEW);
        enqueueHot(CROWD + 1, CROWD + 50);
        scene.ack(head.claim());

        assertThat(runAll()).isEqualTo(numbers(2, CROWD + 50));
        assertThat(scene.count("acidq_parked")).isZero();
        assertThat(scene.count("acidq_message")).as("the other one runs").isEqualTo(1);
    }

    @Test
    void clearsTheWayOfNobodyOnlyWhenTheCrowdIsLarge() {
        enqueueHot(1, CROWD);
        scene.claimOne(0);
        assertThat(scene.claim(0, 1).messages()).isEmpty();
        assertThat(scene.count("acidq_parked")).isZero();
        enqueueHot(CROWD + 1, ParkedMessages.CROWD_ALONE + 1);
        assertThat(scene.claim(0, 1).messages()).isEmpty();
        assertThat(scene.count("acidq_parked"))
                .as("as many as stand behind the head")
                .isZero();
        enqueueHot(ParkedMessages.CROWD_ALONE + 2, ParkedMessages.CROWD_ALONE + 2);
        assertThat(scene.claim(0, 1).messages()).isEmpty();
        assertThat(scene.count("acidq_parked")).isGreaterThan(ParkedMessages.CROWD);
    }

    @Test
    void leavesFewFollowersWhereTheyAre() {
        enqueueHot(1, ParkedMessages.CROWD + ParkedMessages.FEW);
        scene.claimOne(0);
        scene.enqueue(0, "other", "after them");
        assertThat(Scene.texts(scene.claim(0, 1))).containsExactly("after them");
        assertThat(scene.count("acidq_parked")).isZero();
    }

    @Test
    void clearsTheWayInPieces() {
        enqueueHot(1, 5_000);
        scene.claimOne(0);
        scene.enqueue(0, "other", "after the crowd");
        scene.enqueue(0, "another", "after it");
        scene.claim(0, 1);
        long once = scene.count("acidq_parked");
        scene.claim(0, 1);
        assertThat(once).isBetween(1L, 2_000L);
        assertThat(scene.count("acidq_parked")).isBetween(once + 1, 2 * once);
    }

    @Test
    void keepsAHeadThatWaitsForItsRetryInItsPlace() throws Exception {
        enqueueHot(1, CROWD);
        ClaimedMessage head = scene.claimOne(0);
        assertThat(claims.retryIfClaimed(head, Scene.HOUR, List.of())).isTrue();
        scene.enqueue(0, "other", "after the crowd");
        for (int i = 0; i < 3; i++) {
            Claimed claimed = scene.claim(0, 1);
            assertThat(claimed.messages()).hasSize(i == 0 ? 1 : 0);
            assertThat(claimed.nextDue()).isBetween(Duration.ofMinutes(50), Scene.HOUR);
        }
        assertThat(scene.count("acidq_parked")).isEqualTo(CROWD - ParkedMessages.FEW);
        scene.execute(
                "UPDATE acidq_message SET preexec_time = TIMESTAMPADD(HOUR, -2, preexec_time) WHERE queue = ?",
                scene.queue.id());
        assertThat(runAll()).isEqualTo(numbers(1, CROWD));
    }

    @Test
    void keepsWhatAMessageIsThroughItsTimeAside() throws Exception {
        enqueueHot(1, CROWD);
        scene.execute(
                "UPDATE acidq_message SET claim_no = 7, attempts = 2, headers = ? WHERE queue = ?",
                "h".getBytes(),
                scene.queue.id());
        List<List<Object>> before = contents("acidq_message");
        ClaimedMessage head = scene.claimOne(0);
        scene.enqueue(0, "other", "after the crowd");
        scene.ack(scene.claim(0, 1).messages().get(0).claim());
        assertThat(scene.count("acidq_parked")).isPositive();
        scene.ack(head.claim());
        List<ClaimedMessage> all = new ArrayList<>();
        for (Claimed c = scene.claim(0, 50); !c.messages().isEmpty(); c = scene.claim(0, 50)) {
            all.addAll(c.messages());
            for (ClaimedMessage message : c.messages()) {
                scene.ack(message.claim());
            }
        }
        assertThat(all).hasSize(CROWD - 1).allSatisfy(m -> {
            assertThat(m.claim().claimNo()).isEqualTo(8);
            assertThat(m.attempts()).isEqualTo(3);
            assertThat(m.headers()).isEqualTo("h");
            assertThat(before.get((int) (m.claim().id() - head.claim().id())))
                    .isEqualTo(List.of(m.claim().id(), m.uid().toString()));
        });
    }

    private List<List<Object>> contents(String table) {
        return home().own()
                .once(
                        "test",
                        t -> t
                                .mapper(ClaimMapper.class)
                                .head(new ClaimMapper.HeadQuery(scene.queue.id(), 0, -1, List.of(), 10_000))
                                .stream()
                                .map(r -> List.<Object>of(r.id(), r.uid().toString()))
                                .toList());
    }

    private void enqueueHot(int from, int to) {
        scene.enqueue(IntStream.rangeClosed(from, to)
                .mapToObj(i -> scene.message(0, "hot", String.valueOf(i)))
                .toArray(MessageRow[]::new));
    }

    private List<String> runAll() throws Exception {
        List<String> done = new ArrayList<>();
        for (Claimed c = scene.claim(0, 100); !c.messages().isEmpty(); c = scene.claim(0, 100)) {
            for (ClaimedMessage message : c.messages()) {
                assertThat(scene.ack(message.claim())).isTrue();
            }
            done.addAll(Scene.texts(c));
        }
        return done;
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(String::valueOf).toList();
    }
}
