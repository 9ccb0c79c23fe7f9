package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneScheduleTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // nanoTime may overflow
    private final LaneSchedule lanes = new LaneSchedule(now::get, Duration.ofMillis(5), Duration.ofMillis(250));

    // which lane is next

    @Test
    void alternatesBetweenNotifiedLanesAndOthers() {
        lanes.addFound(List.of(1, 2, 3));
        lanes.addNotified(11);
        lanes.addNotified(12);

        assertThat(lanes.size()).isEqualTo(5);
        assertThat(all()).containsExactly(11, 1, 12, 2, 3);
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void takesALaneBeforeThoseThatAreNotifiedLater() {
        lanes.addNotified(0);
        List<Integer> taken = new ArrayList<>();
        IntStream.range(1, 100).forEach(lane -> {
            lanes.addNotified(lane);
            lanes.addNotified(lane + 100); // twice as many as are taken
            taken.add(lanes.next(Priority.NORMAL));
        });

        assertThat(taken).startsWith(0, 1, 101, 2, 102);
    }

    @Test
    void keepsThePlaceOfALaneNotifiedAgain() {
        lanes.addNotified(1);
        lanes.addNotified(2);
        lanes.addNotified(1);
        lanes.addFound(List.of(2));

        assertThat(all()).containsExactly(1, 2);
    }

    @Test
    void bringsForwardALaneThatIsNotified() {
        lanes.addFound(List.of(1, 2));
        lanes.addNotified(2);

        assertThat(all()).containsExactly(2, 1);
    }

    @Test
    void doesNotLetNotifiedLanesBlockTheOthers() {
        lanes.addFound(List.of(1, 2));
        List<Integer> taken = IntStream.range(0, 4)
                .mapToObj(i -> {
                    lanes.addNotified(50);
                    return lanes.next(Priority.NORMAL);
                })
                .toList();

        assertThat(taken).containsExactly(50, 1, 50, 2);
    }

    @Test
    void keepsALaneWithLeftoverAndDropsAnEmptyOne() {
        lanes.onClaimed(1, true, false);
        lanes.onClaimed(2, false, false);
        lanes.onEmpty(3);

        assertThat(all()).containsExactly(1);
    }

    // which lanes wait

    @Test
    void waitsTwiceAsLongEachTimeUpToAQuarterOfASecond() {
        lanes.onNothingClaimed(3, null, false);
        assertWaitsFor(2, 3);
        claimNothingOften(3);
        assertWaitsFor(250, 3);
    }

    @Test
    void waitsLongerAtFirstWhileThisNodeHoldsAKeyOfTheLane() {
        lanes.onNothingClaimed(3, null, true);
        assertWaitsFor(32, 3);
    }

    @Test
    void waitsNoLongerThanUntilTheNextDueTime() {
        makeSearchesRare();
        claimNothingOften(3);
        lanes.onNothingClaimed(3, Duration.ofMillis(7), false);
        assertThat(lanes.untilNext()).isEqualTo(Duration.ofMillis(7));
    }

    @Test
    void addsALaneOnceAfterItsWait() {
        makeSearchesRare();
        lanes.onNothingClaimed(3, null, false);
        lanes.onNothingClaimed(4, Duration.ofHours(1), false);
        lanes.onNothingClaimed(4, null, false);
        assertThat(waited()).isEmpty();
        pass(2);
        assertThat(waited()).containsExactly(3);
        assertThat(waited()).isEmpty();
        assertThat(lanes.untilNext()).as("of lane 4").isEqualTo(Duration.ofMillis(2));
        lanes.onNothingClaimed(3, null, false);
        pass(4);
        assertThat(waited()).containsExactlyInAnyOrder(3, 4);
    }

    @Test
    void forgetsTheWaitOfAnEmptyLane() {
        makeSearchesRare();
        claimNothingOften(3);
        lanes.onEmpty(3);
        assertThat(isWaiting(3)).isFalse();
        assertThat(lanes.untilNext()).as("no wait").isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void forgetsTheWaitOfALaneThatYieldsMessages() {
        claimNothingOften(3);
        lanes.onClaimed(3, false, false);
        assertThat(isWaiting(3)).isFalse();
        lanes.onNothingClaimed(3, null, false);
        pass(2);
        assertThat(waited()).as("as if for the first time").containsExactly(3);
    }

    @Test
    void waitsAfterMessagesOfOneKeyIfTheLaneHadNoOtherKeyAMomentAgo() {
        makeSearchesRare();
        lanes.onNothingClaimed(3, null, true);
        lanes.onClaimed(3, true, true);
        assertThat(lanes.isEmpty()).isTrue();
        pass(31);
        assertThat(isWaiting(3)).isTrue();
        pass(1);
        assertThat(waited()).containsExactly(3);
        lanes.onNothingClaimed(3, null, false);
        assertThat(lanes.untilNext()).as("as if for the first time").isEqualTo(Duration.ofMillis(2));
    }

    @Test
    void doesNotWaitAfterMessagesOfSeveralKeys() {
        lanes.onNothingClaimed(3, null, true);
        lanes.onClaimed(3, true, false);
        assertThat(all()).containsExactly(3);
    }

    @Test
    void remembersForATenthOfASecondThatAClaimGotNothing() {
        lanes.onClaimed(3, true, true);
        assertThat(all()).as("the lane may have other keys").containsExactly(3);
        lanes.onNothingClaimed(3, null, false);
        lanes.onEmpty(3);
        pass(99);
        lanes.onClaimed(3, true, true);
        assertThat(all()).isEmpty();
        pass(1);
        lanes.onClaimed(3, true, true);
        assertThat(all()).containsExactly(3);
        lanes.onNothingClaimed(3, null, false);
        lanes.wakeAllLanes();
        lanes.onClaimed(3, true, true);
        assertThat(all()).containsExactly(3);
    }

    @Test
    void prefersALaneThatYieldedNothingWhenItsKeyBecomesFree() {
        lanes.addFound(List.of(1, 2));
        lanes.onNothingClaimed(3, null, true);
        lanes.onKeyFreed(3);
        assertThat(all()).containsExactly(3, 1, 2);
    }

    @Test
    void doesNotPreferALaneOfASingleKeyWhenThatBecomesFree() {
        lanes.addFound(List.of(1, 2));
        lanes.onNothingClaimed(3, null, true);
        lanes.onClaimed(3, true, true);
        lanes.onKeyFreed(3);
        assertThat(all()).containsExactly(1, 2, 3);
    }

    @Test
    void ignoresAFreeKeyOfALaneThatDoesNotWait() {
        lanes.onKeyFreed(3);
        assertThat(lanes.isEmpty()).isTrue();
    }

    // when to search

    @Test
    void searchesLessAndLessOftenAndLeavesSearchesToTheWorkFinderInTheEnd() {
        for (int millis = 5; millis < 160; millis *= 2) {
            assertThat(lanes.isSearchDue()).isTrue();
            lanes.beginSearch();
            assertThat(lanes.isSearchDue()).isFalse();
            assertThat(lanes.untilNext()).isEqualTo(Duration.ofMillis(millis));
            pass(millis);
        }
        assertThat(lanes.isSearchDue()).isTrue();
        lanes.beginSearch();
        assertThat(lanes.untilNext()).isEqualTo(Duration.ofMillis(250));
        pass(1000);
        assertThat(lanes.isSearchDue()).as("left to the work finder").isFalse();
        lanes.searchSoon();
        assertThat(lanes.isSearchDue()).isTrue();
    }

    @Test
    void searchesSoonAgainAfterASearchThatFoundAMessageWithoutAWakeUp() {
        makeSearchesRare();
        lanes.beginSearch();
        lanes.addFound(List.of(3));
        pass(1);
        lanes.onClaimed(3, false, false);
        assertThat(lanes.untilNext()).isEqualTo(Duration.ofMillis(4));
    }

    @Test
    void doesNotSearchMoreOftenForMessagesThatWakeUpsName() {
        makeSearchesRare();
        lanes.beginSearch();
        lanes.addFound(List.of(3));
        lanes.addNotified(3);
        lanes.onClaimed(3, false, false);
        lanes.onClaimed(4, false, false);
        all();
        pass(1000);
        assertThat(lanes.isSearchDue()).as("left to the work finder").isFalse();
    }

    @Test
    void searchesAtTheLongestIntervalWhileTheWorkFinderDoesNot() {
        lanes.beginSearch();
        lanes.addNotified(1);
        pass(249);
        assertThat(lanes.isSearchDue()).isFalse();
        lanes.recordBusy();
        assertThat(lanes.isSearchDue()).isFalse();
        pass(1);
        assertThat(lanes.isSearchDue()).isTrue();
        lanes.addFoundByWorkFinder(List.of(2));
        assertThat(lanes.isSearchDue()).isFalse();
    }

    @Test
    void searchesOnceAfterATimeInWhichTheWorkFinderDidNot() {
        makeSearchesRare();
        lanes.recordBusy();
        pass(100);
        assertThat(lanes.untilNext()).isEqualTo(Duration.ofMillis(150));
        pass(150);
        assertThat(lanes.isSearchDue()).isTrue();
        lanes.beginSearch();
        assertThat(lanes.untilNext()).isEqualTo(Duration.ofMillis(250));
        pass(250);
        assertThat(lanes.isSearchDue()).as("watched again").isFalse();
    }

    private void claimNothingOften(int lane) {
        for (int i = 0; i < 20; i++) {
            lanes.onNothingClaimed(lane, null, false);
        }
    }

    private void assertWaitsFor(long millis, int lane) {
        pass(millis - 1);
        assertThat(isWaiting(lane)).isTrue();
        pass(1);
        assertThat(isWaiting(lane)).isFalse();
    }

    /** A search does not add a lane that waits. */
    private boolean isWaiting(int lane) {
        lanes.addFound(List.of(lane));
        return all().isEmpty();
    }

    private List<Integer> waited() {
        lanes.endElapsedWaits();
        return all();
    }

    private List<Integer> all() {
        List<Integer> all = new ArrayList<>();
        while (!lanes.isEmpty()) {
            all.add(lanes.next(Priority.NORMAL));
        }
        return all;
    }

    private void makeSearchesRare() {
        for (int i = 0; i < 10; i++) {
            lanes.beginSearch();
        }
    }

    private void pass(long millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}
