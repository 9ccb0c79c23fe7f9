package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Schedule;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.support.CronExpression;

/** Cron expressions mean what they mean to {@code @Scheduled}: random ones are compared with Spring's. */
class CronTest {

    private static final int EXPRESSIONS = 20_000;
    private static final List<String> DAYS_OF_MONTH = List.of("L", "LW", "L-3", "15W", "?");
    private static final List<String> DAYS_OF_WEEK = List.of("MON-FRI", "5L", "FRI#2", "SUN", "0", "7", "SUN-TUE", "?");

    @Test
    void meansWhatItMeansToSpring() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int compared = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            String text = String.join(
                    " ",
                    field(random, 0, 59),
                    field(random, 0, 59),
                    field(random, 0, 23),
                    special(random, DAYS_OF_MONTH, 1, 31),
                    random.nextInt(3) > 0 ? "*" : field(random, 1, 12),
                    special(random, DAYS_OF_WEEK, 0, 7));
            LocalDateTime from = LocalDateTime.ofEpochSecond(
                    1_700_000_000L + random.nextInt(200_000_000), 1000 * random.nextInt(1000), ZoneOffset.UTC);
            LocalDateTime expected = CronExpression.parse(text).next(from);
            if (expected != null) {
                Instant tick = Schedule.cron(text, ZoneOffset.UTC)
                        .next(from.toInstant(ZoneOffset.UTC))
                        .orElseThrow();
                assertThat(tick)
                        .as("seed " + seed + ": " + text + " after " + from)
                        .isEqualTo(expected.toInstant(ZoneOffset.UTC));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(EXPRESSIONS / 2);
    }

    private static String special(Random random, List<String> specials, int least, int most) {
        return switch (random.nextInt(4)) {
            case 0 -> specials.get(random.nextInt(specials.size()));
            case 1 -> field(random, least, most);
            default -> "*";
        };
    }

    private static String field(Random random, int least, int most) {
        int a = least + random.nextInt(most - least + 1);
        int b = a + random.nextInt(most - a + 1);
        return switch (random.nextInt(6)) {
            case 0 -> "*";
            case 1 -> "*/" + (1 + random.nextInt(most));
            case 2 -> a + "-" + b;
            case 3 -> a + "-" + b + "/" + (1 + random.nextInt(9));
            case 4 -> a + "," + b;
            default -> String.valueOf(a);
        };
    }
}
