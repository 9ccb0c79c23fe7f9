package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.MessageRow;
import io.acidq.testservers.ServerKind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Plans on MySQL, and the locks of an open claim. */
class PlanAndLockIT extends PlanConformance {

    private static final String LOCKS =
            "SELECT object_name, lock_mode, COUNT(*) FROM performance_schema.data_locks WHERE lock_type = 'RECORD'"
                    + " AND object_schema = DATABASE() GROUP BY object_name, lock_mode ORDER BY object_name";

    @Override
    StoreHome openHome() {
        return StoreHome.on(ServerKind.MYSQL, Driver.CONNECTOR_J, "", true);
    }

    @Test
    void locksOneRowPerClaimedMessageAndTheLane() {
        Scene fresh = sceneWith(30, "k");

        assertThat(locksOf(fresh, 10, false))
                .hasToString("[[acidq_lane, X,REC_NOT_GAP, 1], [acidq_message, X,REC_NOT_GAP, 10]]");
    }

    @Test
    void locksNoGapAtTheEndOfTheLaneWhenItClaimsAllThatIsThere() {
        Scene fresh = sceneWith(4, null);

        assertThat(locksOf(fresh, 100, false))
                .hasToString("[[acidq_lane, X,REC_NOT_GAP, 1], [acidq_message, X,REC_NOT_GAP, 4]]");
    }

    @Test
    void locksNoMoreWhenItIsWary() {
        Scene fresh = sceneWith(30, null);

        assertThat(locksOf(fresh, 10, true))
                .hasToString("[[acidq_lane, X,REC_NOT_GAP, 1], [acidq_message, X,REC_NOT_GAP, 10]]");
    }

    @Test
    void locksOnlyTheLaneWhenThereIsNothing() {
        Scene fresh = sceneWith(0, null);

        assertThat(locksOf(fresh, 10, false)).hasToString("[[acidq_lane, X,REC_NOT_GAP, 1]]");
    }

    private Scene sceneWith(int messages, String key) {
        Scene fresh = new Scene(home);
        if (messages > 0) {
            fresh.enqueue(IntStream.range(0, messages)
                    .mapToObj(i -> fresh.message(0, key == null ? null : key + i % 3, "m"))
                    .toArray(MessageRow[]::new));
        }
        return fresh;
    }

    private List<List<Object>> locksOf(Scene fresh, int limit, boolean wary) {
        ClaimRequest request = fresh.request(0, limit);
        return home.own().once("claimDue", t -> {
            new ClaimTransaction(t, request, wary).claim();
            return fresh.rows(LOCKS);
        });
    }
}
