package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.EnqueueStore.MessageRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many followers of a closed ordering key at the head of a lane. */
@EachStore
class ParkedMessagesStoreIT extends StoreFixture {

    private static final int CROWD = ParkedMessages.PARK_THRESHOLD + 3 * ParkedMessages.KEPT_PER_KEY;

    @Test
    void parksFollowersAndKeepsTheOrder() throws Exception {
        enqueueHot(1, CROWD);
        ClaimedMessage head = fixture.claimOne(0);
        fixture.enqueue(0, "other", "after the crowd");
        assertThat(fixture.claimTexts(0, 1)).containsExactly("after the crowd");
        assertThat(fixture.count("acidq_parked")).isEqualTo(CROWD - 1 - ParkedMessages.KEPT_PER_KEY);
        enqueueHot(CROWD + 1, CROWD + 50);
        fixture.ack(head.claim());

        assertThat(runAll()).isEqualTo(numbers(2, CROWD + 50));
        assertThat(fixture.count("acidq_parked")).isZero();
        assertThat(fixture.count("acidq_message")).as("the other one runs").isEqualTo(1);
    }

    @Test
    void parksFollowersAloneInTheLaneOnlyWhenThereAreMany() {
        enqueueHot(1, CROWD);
        fixture.claimOne(0);
        assertThat(fixture.claim(0, 1).messages()).isEmpty();
        assertThat(fixture.count("acidq_parked")).isZero();
        enqueueHot(CROWD + 1, ParkedMessages.PARK_THRESHOLD_ALONE + 1);
        assertThat(fixture.claim(0, 1).messages()).isEmpty();
        assertThat(fixture.count("acidq_parked"))
                .as("as many as stand behind the head")
                .isZero();
        enqueueHot(ParkedMessages.PARK_THRESHOLD_ALONE + 2, ParkedMessages.PARK_THRESHOLD_ALONE + 2);
        assertThat(fixture.claim(0, 1).messages()).isEmpty();
        assertThat(fixture.count("acidq_parked")).isGreaterThan(ParkedMessages.PARK_THRESHOLD);
    }

    @Test
    void leavesFewFollowersWhereTheyAre() {
        enqueueHot(1, ParkedMessages.PARK_THRESHOLD + ParkedMessages.KEPT_PER_KEY);
        fixture.claimOne(0);
        fixture.enqueue(0, "other", "after them");
        assertThat(fixture.claimTexts(0, 1)).containsExactly("after them");
        assertThat(fixture.count("acidq_parked")).isZero();
    }

    @Test
    void parksFollowersInSteps() {
        enqueueHot(1, 5_000);
        fixture.claimOne(0);
        fixture.enqueue(0, "other", "after the crowd");
        fixture.enqueue(0, "another", "after it");
        fixture.claim(0, 1);
        long once = fixture.count("acidq_parked");
        fixture.claim(0, 1);
        assertThat(once).isBetween(1L, 2_000L);
        assertThat(fixture.count("acidq_parked")).isBetween(once + 1, 2 * once);
    }

    @Test
    void keepsAHeadThatWaitsForItsRetryInItsPlace() throws Exception {
        enqueueHot(1, CROWD);
        ClaimedMessage head = fixture.claimOne(0);
        assertThat(claims.retryIfClaimed(head, QueueFixture.HOUR, List.of())).isTrue();
        fixture.enqueue(0, "other", "after the crowd");
        for (int i = 0; i < 3; i++) {
            Claimed claimed = fixture.claim(0, 1);
            assertThat(claimed.messages()).hasSize(i == 0 ? 1 : 0);
            assertThat(claimed.nextDue()).isBetween(Duration.ofMinutes(50), QueueFixture.HOUR);
        }
        assertThat(fixture.count("acidq_parked")).isEqualTo(CROWD - ParkedMessages.KEPT_PER_KEY);
        fixture.execute(
                "UPDATE acidq_message SET preexec_time = TIMESTAMPADD(HOUR, -2, preexec_time) WHERE queue = ?",
                fixture.queueId);
        assertThat(runAll()).isEqualTo(numbers(1, CROWD));
    }

    @Test
    void keepsTheContentOfAParkedMessage() throws Exception {
        enqueueHot(1, CROWD);
        fixture.execute(
                "UPDATE acidq_message SET claim_no = 7, attempts = 2, headers = ? WHERE queue = ?",
                "h".getBytes(),
                fixture.queueId);
        List<List<Object>> before = contents("acidq_message");
        ClaimedMessage head = fixture.claimOne(0);
        fixture.enqueue(0, "other", "after the crowd");
        fixture.ack(fixture.claim(0, 1).messages().get(0).claim());
        assertThat(fixture.count("acidq_parked")).isPositive();
        fixture.ack(head.claim());
        List<ClaimedMessage> all = new ArrayList<>();
        for (Claimed c = fixture.claim(0, 50); !c.messages().isEmpty(); c = fixture.claim(0, 50)) {
            all.addAll(c.messages());
            for (ClaimedMessage message : c.messages()) {
                fixture.ack(message.claim());
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
        return database()
                .own()
                .runAndRelease(
                        "test",
                        t -> t
                                .mapper(ClaimMapper.class)
                                .head(new ClaimMapper.HeadQuery(fixture.queueId, 0, -1, List.of(), 10_000))
                                .stream()
                                .map(r -> List.<Object>of(r.id(), r.uid().toString()))
                                .toList());
    }

    private void enqueueHot(int from, int to) {
        fixture.enqueue(IntStream.rangeClosed(from, to)
                .mapToObj(i -> fixture.message(0, "hot", String.valueOf(i)))
                .toArray(MessageRow[]::new));
    }

    private List<String> runAll() throws Exception {
        List<String> done = new ArrayList<>();
        for (Claimed c = fixture.claim(0, 100); !c.messages().isEmpty(); c = fixture.claim(0, 100)) {
            for (ClaimedMessage message : c.messages()) {
                assertThat(fixture.ack(message.claim())).isTrue();
            }
            done.addAll(QueueFixture.texts(c));
        }
        return done;
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(String::valueOf).toList();
    }
}
