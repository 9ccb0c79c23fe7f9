package io.acidq.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The arguments of operators are checked before any SQL. */
class DeadLetterFilterTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final MessageId ID = new MessageId("orders", 1, new UUID(1, 2));
    private static final DeadLetterFilter ALL = DeadLetterFilter.of("orders");

    @Test
    void hasATextForTheAuditTable() {
        assertThat(ALL).hasToString("queue=orders");
        assertThat(DeadLetterFilter.of(ID)).hasToString("queue=orders id=" + ID);
        assertThat(ALL.withCause("00000000000000af")
                        .withType("Order")
                        .withKey("k 1")
                        .withOrderingKey("o")
                        .diedBetween(NOON, NOON.plusSeconds(1)))
                .hasToString("queue=orders cause=00000000000000AF type=Order key=k 1 orderingKey=o"
                        + " since=2026-01-01T12:00:00Z until=2026-01-01T12:00:01Z");
    }

    @Test
    void fitsIntoTheAuditTableAtItsLongest() {
        DeadLetterFilter longest = DeadLetterFilter.of("q".repeat(100))
                .withCause("0".repeat(16))
                .withType("t".repeat(100))
                .withKey("k".repeat(255))
                .withOrderingKey("o".repeat(255))
                .diedBetween(Instant.parse("2026-01-01T12:00:00.123456789Z"), Instant.parse("2026-01-01T12:00:00.2Z"));

        assertThat(longest.toString()).hasSizeLessThanOrEqualTo(1000);
    }

    @Test
    void refusesValuesThatCannotMatch() {
        refuses(() -> DeadLetterFilter.of("no blanks"), "no blanks");
        refuses(
                () -> new DeadLetterFilter("letters", ID, null, null, null, null, null, null),
                "orders~1~00000000-0000-0001-0000-000000000002 is not a message of queue 'letters'");
        refuses(() -> ALL.withCause("cafe"), "16 hexadecimal digits");
        refuses(() -> ALL.withType(" "), "type");
        refuses(() -> ALL.withKey(""), "key");
        refuses(() -> ALL.withKey("\ud800"), "surrogate");
        refuses(() -> ALL.withOrderingKey("o".repeat(256)), "256");
        refuses(() -> ALL.diedBetween(NOON, NOON), "must be later than");
        refuses(() -> ALL.diedBetween(Instant.MIN, NOON), "between 1970-01-01 and 9999-01-01");
    }

    @Test
    void beginsAPageAfterTheLastLetterOfThePreviousPage() {
        DeadLetter last = new DeadLetter(
                ID,
                Optional.empty(),
                Optional.empty(),
                "Order",
                new byte[0],
                Map.of(),
                1,
                0,
                "mark",
                "00000000000000AF",
                NOON,
                Optional.empty());

        assertThat(DeadLetterPage.first(10).after(last)).isEqualTo(new DeadLetterPage(10, NOON, new UUID(1, 2), false));
        refuses(() -> DeadLetterPage.first(0), "1 to 10000");
        refuses(() -> DeadLetterPage.first(10_001), "1 to 10000");
        refuses(() -> new DeadLetterPage(1, NOON, null, false), "both");
    }

    @Test
    void checksNameReasonAndLimitOfABulkAction() {
        BulkAction action = BulkAction.by("ann", "why not");

        assertThat(action).isEqualTo(new BulkAction(new Operator("ann", "why not"), 1_000, 0, false));
        assertThat(action.withLimit(5).withPerSecond(7).asDryRun())
                .isEqualTo(new BulkAction(new Operator("ann", "why not"), 5, 7, true));
        refuses(() -> BulkAction.by(" ", "why not"), "actor");
        refuses(() -> BulkAction.by("ann", ""), "reason");
        refuses(() -> BulkAction.by("a".repeat(101), "why not"), "101");
        refuses(() -> BulkAction.by("ann", "w".repeat(501)), "501");
        refuses(() -> action.withLimit(0), "1 to 100000");
        refuses(() -> action.withLimit(100_001), "1 to 100000");
    }

    private static void refuses(ThrowingCallable made, String why) {
        assertThatThrownBy(made).isInstanceOf(QueueMisuseException.class).hasMessageContaining(why);
    }
}
