package io.acidq.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownLanesTest {

    private final KnownLanes lanes = new KnownLanes();

    @Test
    void takesLanesToldOfAndOthersInTurn() {
        lanes.found(1);
        lanes.found(2);
        lanes.found(3);
        lanes.told(11);
        lanes.told(12);

        assertThat(lanes.size()).isEqualTo(5);
        assertThat(all()).containsExactly(11, 1, 12, 2, 3);
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void leavesNoneBehindThoseToldOfLater() {
        lanes.told(0);
        List<Integer> taken = new ArrayList<>();
        IntStream.range(1, 100).forEach(lane -> {
            lanes.told(lane);
            lanes.told(lane + 100); // twice as many as are taken
            taken.add(lanes.next());
        });

        assertThat(taken).startsWith(0, 1, 101, 2, 102);
    }

    @Test
    void keepsThePlaceOfOneToldOfAgain() {
        lanes.told(1);
        lanes.told(2);
        lanes.told(1);
        lanes.found(2);

        assertThat(all()).containsExactly(1, 2);
    }

    @Test
    void bringsForwardOneThatIsToldOf() {
        lanes.found(1);
        lanes.found(2);
        lanes.told(2);

        assertThat(all()).containsExactly(2, 1);
    }

    @Test
    void doesNotLetThoseToldOfKeepTheOthersWaiting() {
        lanes.found(1);
        lanes.found(2);
        List<Integer> taken = IntStream.range(0, 4)
                .mapToObj(i -> {
                    lanes.told(50);
                    return lanes.next();
                })
                .toList();

        assertThat(taken).containsExactly(50, 1, 50, 2);
    }

    private List<Integer> all() {
        List<Integer> all = new ArrayList<>();
        while (!lanes.isEmpty()) {
            all.add(lanes.next());
        }
        return all;
    }
}
