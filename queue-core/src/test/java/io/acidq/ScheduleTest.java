package io.acidq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {

    private static final String BERLIN = "Europe/Berlin";

    /** In Berlin clocks went from 02:00 to 03:00 on 2026-03-29 at 01:00Z, and from 03:00 to 02:00 on 2026-10-25 at 01:00Z. */
    private static final String SPRING = "2026-03-28T22:00:00Z";

    private static final String AUTUMN = "2026-10-24T21:00:00Z";

    private static List<String> ticks(Schedule schedule, String from, int count) {
        List<String> ticks = new ArrayList<>();
        Instant tick = Instant.parse(from);
        for (int i = 0; i < count; i++) {
            tick = schedule.next(tick).orElseThrow();
            ticks.add(tick.toString().substring(5, 16));
        }
        return ticks;
    }

    private static List<String> berlin(String cron, String from, int count) {
        return ticks(Schedule.cron(cron, BERLIN), from, count);
    }

    @Test
    void comesAfterTheGapWhenItsTimeOfDayIsSkipped() {
        assertThat(berlin("0 30 2 * * *", SPRING, 3)).containsExactly("03-29T01:00", "03-30T00:30", "03-31T00:30");
    }

    @Test
    void comesTheFirstTimeOnlyWhenItsTimeOfDayIsShownTwice() {
        assertThat(berlin("0 30 2 * * *", AUTUMN, 3)).containsExactly("10-25T00:30", "10-26T01:30", "10-27T01:30");
    }

    @Test
    void comesEveryElapsedHourWhenTheHourIsAny() {
        assertThat(berlin("0 30 * * * *", SPRING, 6))
                .containsExactly(
                        "03-28T22:30", "03-28T23:30", "03-29T00:30", "03-29T01:30", "03-29T02:30", "03-29T03:30");
        assertThat(berlin("0 30 * * * *", AUTUMN, 7))
                .containsExactly(
                        "10-24T21:30",
                        "10-24T22:30",
                        "10-24T23:30",
                        "10-25T00:30",
                        "10-25T01:30",
                        "10-25T02:30",
                        "10-25T03:30");
    }

    @Test
    void namesTimesOfTheDayWhenHoursHaveAStep() {
        assertThat(berlin("0 0 */2 * * *", SPRING, 4))
                .containsExactly("03-28T23:00", "03-29T01:00", "03-29T02:00", "03-29T04:00");
        assertThat(berlin("0 0 */2 * * *", AUTUMN, 4))
                .containsExactly("10-24T22:00", "10-25T00:00", "10-25T03:00", "10-25T05:00");
    }

    @Test
    void makesOneTickOfTimesThatFallOnTheSameInstant() {
        assertThat(berlin("0 0,20,40 2,3 * * *", SPRING, 4))
                .containsExactly("03-29T01:00", "03-29T01:20", "03-29T01:40", "03-30T00:00");
    }

    /** In no zone does a daily tick come twice in a day, or never. */
    @Test
    void comesOnceADayInEveryZone() {
        for (String cron : List.of("0 30 2 * * *", "0 0 0 * * *", "0 15 1 * * *", "30 59 23 * * *")) {
            for (String name : ZoneId.getAvailableZoneIds()) {
                ZoneId zone = ZoneId.of(name);
                Schedule schedule = Schedule.cron(cron, zone);
                Instant tick = LocalDate.of(2026, 1, 1).atTime(LocalTime.NOON).toInstant(ZoneOffset.UTC);
                Instant first = schedule.next(tick).orElseThrow();
                tick = first;
                for (int i = 0; i < 365; i++) {
                    Instant next = schedule.next(tick).orElseThrow();
                    assertThat(Duration.between(tick, next))
                            .as(cron + " in " + name + " after " + tick)
                            .isBetween(Duration.ofHours(22), Duration.ofHours(26));
                    tick = next;
                }
                assertThat(tick.atZone(zone).toLocalDate())
                        .as(cron + " in " + name)
                        .isEqualTo(first.atZone(zone).toLocalDate().plusDays(365));
            }
        }
    }

    @Test
    void ticksAtAFixedRateFromTheEpoch() {
        assertThat(ticks(Schedule.every(Duration.ofMinutes(15)), "2026-03-29T00:59:59.5Z", 3))
                .containsExactly("03-29T01:00", "03-29T01:15", "03-29T01:30");
        Instant tick = Instant.parse("2040-01-01T00:00:00Z");
        assertThat(Schedule.every(Duration.ofMillis(250)).next(tick)).contains(tick.plusMillis(250));
    }

    @Test
    void ticksAFixedDelayAfterTheEnd() {
        Instant end = Instant.parse("2026-03-29T00:59:59.123456Z");
        assertThat(Schedule.after(Duration.ofSeconds(30)).next(end)).contains(end.plusSeconds(30));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 0 6 L * *          | 2026-02-01T00:00:00Z | 02-28T06:00 | 03-31T06:00
            0 0 6 LW * *         | 2026-01-01T00:00:00Z | 01-30T06:00 | 02-27T06:00
            0 0 6 15W * *        | 2026-02-01T00:00:00Z | 02-16T06:00 | 03-16T06:00
            0 0 6 L-2 * *        | 2026-02-01T00:00:00Z | 02-26T06:00 | 03-29T06:00
            0 0 6 * * FRIL       | 2026-02-01T00:00:00Z | 02-27T06:00 | 03-27T06:00
            0 0 6 * * MON#1      | 2026-02-01T00:00:00Z | 02-02T06:00 | 03-02T06:00
            0 0 6 ? * MON-FRI    | 2026-02-06T07:00:00Z | 02-09T06:00 | 02-10T06:00
            15 0/30 8-9 * * *    | 2026-02-06T08:00:15Z | 02-06T08:30 | 02-06T09:00
            0 0 0 29 FEB *       | 2026-02-06T00:00:00Z | 02-29T00:00 | 02-29T00:00
            0 0 12 * * 0         | 2026-02-06T00:00:00Z | 02-08T12:00 | 02-15T12:00
            @daily               | 2026-02-06T00:00:00Z | 02-07T00:00 | 02-08T00:00
            """)
    void readsCron(String cron, String from, String first, String second) {
        assertThat(ticks(Schedule.cron(cron, "UTC"), from, 2)).containsExactly(first, second);
    }

    @Test
    void doesNotEndIn2038() {
        assertThat(Schedule.cron("0 0 0 20 1 *", BERLIN).next(Instant.parse("2038-01-19T03:14:07Z")))
                .contains(Instant.parse("2038-01-19T23:00:00Z"));
    }

    @Test
    void endsBeforeTheYear9999() {
        assertThat(Schedule.cron("0 0 0 1 1 *", "UTC").next(Instant.parse("9998-06-01T00:00:00Z")))
                .isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            30 2 * * *      | UTC       | and has 5: write      | such as '0 30 2 * * *' for second 0
            0 30 2 * *      | UTC       | and has 5: write      | such as '0 30 2 * * *'
            0 61 2 * * *    | UTC       | field minute          | '61': write 0 to 59
            0 30 2 * * XYZ  | UTC       | field day of week     | 'xyz': write 0 to 7, or MON to SUN
            0 0 0 31 4 *    | UTC       | never comes           | day of month 31
            0 0 22-6 * * *  | UTC       | ends before it begins | 22-23,0-6
            0 */0 * * * *   | UTC       | field minute          | a step is 1 or more
            0 30 2 * * *    | Mars/Base | zone 'Mars/Base'      | Europe/Berlin
            0 30 2 * * *    | ""        | has no time zone      | the zone of the machine is not used
            every 30        | ""        | 'every 30'            | is no duration
            every           | ""        | schedule 'every'      | is no duration
            every 30s       | UTC       | has the zone 'UTC'    | leave it out
            every 10ms      | ""        | PT0.01S               | 100 ms to 36500 days
            after 40000d    | ""        | PT960000H             | 100 ms to 36500 days
            daily           | UTC       | and has 1: write      | '0 30 2 * * *'
            """)
    void refusesWhatItCannotReadAndNamesItAndTheFix(String text, String zone, String what, String fix) {
        assertThatThrownBy(() -> Schedule.parse(text, zone))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(what, fix);
    }

    @ParameterizedTest
    @CsvSource({"every 30s,", "after 90m,", "every 250ms,", "after 2h,", "every 7d,", "0 30 2 * * *,Europe/Berlin"})
    void readsItsOwnText(String text, String zone) {
        Schedule schedule = Schedule.parse(text, zone);
        assertThat(schedule.text()).isEqualTo(text);
        assertThat(Schedule.parse(schedule.text(), zone)).isEqualTo(schedule);
    }

    @Test
    void readsTheWordsOfAnIntervalInUpperCase() {
        assertThat(Schedule.parse("EVERY 5s", "")).isEqualTo(Schedule.every(Duration.ofSeconds(5)));
        assertThat(Schedule.parse("After 5s", null)).isEqualTo(Schedule.after(Duration.ofSeconds(5)));
    }
}
