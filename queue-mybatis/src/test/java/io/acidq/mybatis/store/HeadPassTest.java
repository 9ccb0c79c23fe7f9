package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimStore.Budget;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeadPassTest {

    private static final Budget PLAIN = new Budget(3, 3, false);
    private static final Budget ALSO_SUSPECTS = new Budget(3, 3, true);

    @Test
    void takesFreeDueRowsInOrderSeveralOfOneKeyToo() {
        HeadPass pass = HeadPass.over(List.of(row(1, "a"), row(2, ""), row(3, "a")), PLAIN);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(1L, 2L, 3L);
        assertThat(pass.closed()).isEmpty();
        assertThat(pass.leftBehind()).isFalse();
    }

    @Test
    void stopsAtTheLimitAndSaysThatMoreIsThere() {
        HeadPass pass = HeadPass.over(List.of(row(1, ""), row(2, ""), row(3, ""), row(4, "")), PLAIN);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(1L, 2L, 3L);
        assertThat(pass.leftBehind()).isTrue();
    }

    @Test
    void takesOnlyItsShareOfOneKeyAndGoesOnWithTheOthers() {
        List<HeadRow> rows = List.of(row(1, "a"), row(2, "a"), row(3, "a"), row(4, "b"), row(5, ""), row(6, ""));
        HeadPass pass = HeadPass.over(rows, new Budget(5, 2, false));

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(1L, 2L, 4L, 5L, 6L);
        assertThat(pass.leftBehind()).isTrue();
    }

    @Test
    void closesTheKeyOfAClaimedRow() {
        HeadPass pass = HeadPass.over(List.of(claimed(1, "a"), row(2, "a"), row(3, "b")), PLAIN);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(3L);
        assertThat(pass.closed()).isEqualTo(Set.of("a"));
    }

    @Test
    void closesTheKeyOfAClaimedRowAlsoForThoseBeforeIt() {
        HeadPass pass =
                HeadPass.over(List.of(row(1, "a"), row(2, "b"), row(3, ""), row(4, ""), claimed(5, "a")), PLAIN);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(2L, 3L, 4L);
        assertThat(pass.closed()).isEqualTo(Set.of("a"));
    }

    @Test
    void closesTheKeyOfAWaitingRowAndReportsTheFirstDueTime() {
        HeadPass pass =
                HeadPass.over(List.of(waiting(1, "a", 900), waiting(2, "b", 500), row(3, "a"), row(4, "c")), PLAIN);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(4L);
        assertThat(pass.closed()).isEqualTo(Set.of("a", "b"));
        assertThat(pass.nextDue()).isEqualTo(500L);
    }

    @Test
    void closesTheKeyOfAMarker() {
        HeadPass pass = HeadPass.over(List.of(marker(1, "a"), row(2, "a")), PLAIN);

        assertThat(pass.taken()).isEmpty();
        assertThat(pass.closed()).isEqualTo(Set.of("a"));
        assertThat(pass.nextDue()).isNull();
    }

    @Test
    void callsForWhatIsBehindARefillMarkerOnlyWhenItsKeyIsOpen() {
        HeadPass open = HeadPass.over(List.of(row(1, "a"), refill(2, "a"), row(3, "a")), PLAIN);
        assertThat(open.taken()).extracting(HeadRow::id).containsExactly(1L);
        assertThat(open.markers()).extracting(HeadRow::id).containsExactly(2L);

        assertThat(HeadPass.over(List.of(marker(1, "a"), refill(2, "a")), PLAIN).markers())
                .isEmpty();
        assertThat(HeadPass.over(List.of(refill(1, "a"), claimed(2, "a")), PLAIN)
                        .markers())
                .isEmpty();
        assertThat(HeadPass.over(List.of(waiting(1, "a", 5), refill(2, "a")), PLAIN)
                        .markers())
                .isEmpty();
    }

    @Test
    void setsAsideWhatIsBehindAHeadThatAsksForItAndNothingBeforeIt() {
        HeadRow parks = row(2, "a", 0, HeadRow.HOLD_AND_PARK, 0, -1);
        HeadPass pass = HeadPass.over(List.of(row(1, "a"), parks, row(3, "a"), marker(4, "b"), row(5, "b")), PLAIN);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(1L);
        assertThat(pass.toPark()).isEqualTo(Map.of("a", 2L));
        assertThat(pass.held()).containsExactlyInAnyOrder("a", "b");
        assertThat(HeadPass.over(List.of(row(1, "a"), parks), PLAIN).toPark()).isEmpty();
    }

    @Test
    void letsAWaitingRowWithoutKeyCloseNothing() {
        HeadPass pass = HeadPass.over(List.of(waiting(1, "", 500), row(2, "")), PLAIN);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(2L);
        assertThat(pass.closed()).isEmpty();
        assertThat(pass.leftBehind()).isTrue();
    }

    @Test
    void takesASuspectAlone() {
        HeadPass pass = HeadPass.over(List.of(suspect(1, "a"), row(2, "b")), ALSO_SUSPECTS);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(1L);
        assertThat(pass.leftBehind()).isTrue();
    }

    @Test
    void leavesASuspectAndItsKeyWhenSomethingElseWasTakenBefore() {
        HeadPass pass = HeadPass.over(List.of(row(1, ""), suspect(2, "a"), row(3, "a"), row(4, "b")), ALSO_SUSPECTS);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(1L, 4L);
        assertThat(pass.closed()).isEqualTo(Set.of("a"));
    }

    @Test
    void leavesASuspectWhenNoneIsWanted() {
        HeadPass pass = HeadPass.over(List.of(suspect(1, "a"), row(2, "a"), suspect(3, ""), row(4, "")), PLAIN);

        assertThat(pass.taken()).extracting(HeadRow::id).containsExactly(4L);
    }

    @Test
    void dropsWhatBelongsToKeysThatRunFurtherOn() {
        HeadPass pass = HeadPass.over(List.of(row(1, "a"), row(2, "b"), row(3, "")), PLAIN);

        assertThat(pass.takenWithout(Set.of("a"))).extracting(HeadRow::id).containsExactly(2L, 3L);
    }

    @Test
    void findsNothingInAnEmptyLane() {
        HeadPass pass = HeadPass.over(List.of(), ALSO_SUSPECTS);

        assertThat(pass.taken()).isEmpty();
        assertThat(pass.leftBehind()).isFalse();
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

    private static HeadRow row(long id, String key, int owner, int kind, int deaths, long dueIn) {
        Instant now = Instant.EPOCH;
        return new HeadRow(
                id, new UUID(0, id), null, key, "t", "", new byte[0], owner, 0, 0, deaths, kind, now, now, dueIn, 0);
    }
}
