package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.store.ClaimStore.Budget;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeadScanTest {

    private static final Budget PLAIN = new Budget(3, 3, false);
    private static final Budget ALSO_SUSPECTS = new Budget(3, 3, true);

    @Test
    void takesFreeDueRowsInOrderSeveralOfOneKeyToo() {
        HeadScan scan = HeadScan.of(List.of(row(1, "a"), row(2, ""), row(3, "a")), PLAIN);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(1L, 2L, 3L);
        assertThat(scan.closed()).isEmpty();
        assertThat(scan.hasLeftover()).isFalse();
    }

    @Test
    void stopsAtTheLimitAndSaysThatMoreIsThere() {
        HeadScan scan = HeadScan.of(List.of(row(1, ""), row(2, ""), row(3, ""), row(4, "")), PLAIN);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(1L, 2L, 3L);
        assertThat(scan.hasLeftover()).isTrue();
    }

    @Test
    void takesOnlyItsShareOfOneKeyAndGoesOnWithTheOthers() {
        List<HeadRow> rows = List.of(row(1, "a"), row(2, "a"), row(3, "a"), row(4, "b"), row(5, ""), row(6, ""));
        HeadScan scan = HeadScan.of(rows, new Budget(5, 2, false));

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(1L, 2L, 4L, 5L, 6L);
        assertThat(scan.hasLeftover()).isTrue();
    }

    @Test
    void closesTheKeyOfAClaimedRow() {
        HeadScan scan = HeadScan.of(List.of(claimed(1, "a"), row(2, "a"), row(3, "b")), PLAIN);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(3L);
        assertThat(scan.closed()).isEqualTo(Set.of("a"));
    }

    @Test
    void closesTheKeyOfAClaimedRowAlsoForThoseBeforeIt() {
        HeadScan scan = HeadScan.of(List.of(row(1, "a"), row(2, "b"), row(3, ""), row(4, ""), claimed(5, "a")), PLAIN);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(2L, 3L, 4L);
        assertThat(scan.closed()).isEqualTo(Set.of("a"));
    }

    @Test
    void closesTheKeyOfAWaitingRowAndReportsTheFirstDueTime() {
        HeadScan scan =
                HeadScan.of(List.of(waiting(1, "a", 900), waiting(2, "b", 500), row(3, "a"), row(4, "c")), PLAIN);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(4L);
        assertThat(scan.closed()).isEqualTo(Set.of("a", "b"));
        assertThat(scan.nextDue()).isEqualTo(500L);
    }

    @Test
    void closesTheKeyOfAMarker() {
        HeadScan scan = HeadScan.of(List.of(marker(1, "a"), row(2, "a")), PLAIN);

        assertThat(scan.taken()).isEmpty();
        assertThat(scan.closed()).isEqualTo(Set.of("a"));
        assertThat(scan.nextDue()).isNull();
    }

    @Test
    void refillsBehindAMarkerOnlyWhenItsKeyIsOpen() {
        HeadScan open = HeadScan.of(List.of(row(1, "a"), refill(2, "a"), row(3, "a")), PLAIN);
        assertThat(open.taken()).extracting(HeadRow::id).containsExactly(1L);
        assertThat(open.markers()).extracting(HeadRow::id).containsExactly(2L);

        assertThat(HeadScan.of(List.of(marker(1, "a"), refill(2, "a")), PLAIN).markers())
                .isEmpty();
        assertThat(HeadScan.of(List.of(refill(1, "a"), claimed(2, "a")), PLAIN).markers())
                .isEmpty();
        assertThat(HeadScan.of(List.of(waiting(1, "a", 5), refill(2, "a")), PLAIN)
                        .markers())
                .isEmpty();
    }

    @Test
    void parksTheFollowersOfAHeadWithThatPolicyAndNothingBeforeIt() {
        HeadRow parks = row(2, "a", 0, HeadRow.HOLD_AND_PARK, 0, -1);
        HeadScan scan = HeadScan.of(List.of(row(1, "a"), parks, row(3, "a"), marker(4, "b"), row(5, "b")), PLAIN);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(1L);
        assertThat(scan.toPark()).isEqualTo(Map.of("a", 2L));
        assertThat(scan.held()).containsExactlyInAnyOrder("a", "b");
        assertThat(HeadScan.of(List.of(row(1, "a"), parks), PLAIN).toPark()).isEmpty();
    }

    @Test
    void letsAWaitingRowWithoutKeyCloseNothing() {
        HeadScan scan = HeadScan.of(List.of(waiting(1, "", 500), row(2, "")), PLAIN);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(2L);
        assertThat(scan.closed()).isEmpty();
        assertThat(scan.hasLeftover()).isTrue();
    }

    @Test
    void takesASuspectAlone() {
        HeadScan scan = HeadScan.of(List.of(suspect(1, "a"), row(2, "b")), ALSO_SUSPECTS);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(1L);
        assertThat(scan.hasLeftover()).isTrue();
    }

    @Test
    void leavesASuspectAndItsKeyWhenSomethingElseWasTakenBefore() {
        HeadScan scan = HeadScan.of(List.of(row(1, ""), suspect(2, "a"), row(3, "a"), row(4, "b")), ALSO_SUSPECTS);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(1L, 4L);
        assertThat(scan.closed()).isEqualTo(Set.of("a"));
    }

    @Test
    void leavesASuspectWhenNoneIsWanted() {
        HeadScan scan = HeadScan.of(List.of(suspect(1, "a"), row(2, "a"), suspect(3, ""), row(4, "")), PLAIN);

        assertThat(scan.taken()).extracting(HeadRow::id).containsExactly(4L);
    }

    @Test
    void dropsWhatBelongsToKeysThatRunFurtherOn() {
        HeadScan scan = HeadScan.of(List.of(row(1, "a"), row(2, "b"), row(3, "")), PLAIN);

        assertThat(scan.takenWithout(Set.of("a"))).extracting(HeadRow::id).containsExactly(2L, 3L);
    }

    @Test
    void findsNothingInAnEmptyLane() {
        HeadScan scan = HeadScan.of(List.of(), ALSO_SUSPECTS);

        assertThat(scan.taken()).isEmpty();
        assertThat(scan.hasLeftover()).isFalse();
    }

    private static HeadRow row(long id, String key) {
        return row(id, key, 0, 0, 0, -1);
    }

    private static HeadRow claimed(long id, String key) {
        return row(id, key, 7, 0, 0, -1);
    }

    private static HeadRow suspect(long id, String key) {
        return row(id, key, 0, 0, 1, 0);
    }

    private static HeadRow marker(long id, String key) {
        return row(id, key, 0, 1, 0, -1);
    }

    private static HeadRow refill(long id, String key) {
        return row(id, key, 0, HeadRow.REFILL, 0, -1);
    }

    private static HeadRow waiting(long id, String key, long dueIn) {
        return row(id, key, 0, 0, 0, dueIn);
    }

    private static HeadRow row(long id, String key, int owner, int kind, int crashes, long dueIn) {
        Instant now = Instant.EPOCH;
        return new HeadRow(
                id,
                new UUID(0, id),
                null,
                key,
                "t",
                "",
                new byte[0],
                owner,
                0,
                0,
                crashes,
                kind,
                now,
                now,
                dueIn,
                0,
                null,
                0);
    }
}
