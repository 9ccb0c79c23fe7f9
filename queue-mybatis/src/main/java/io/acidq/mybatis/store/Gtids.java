package io.acidq.mybatis.store;

import io.acidq.store.ServerStore.Commits;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads sets of global transaction identifiers: {@code uuid:1-5:7:tag:1-3,uuid:…}. */
final class Gtids {

    private Gtids() {}

    /** How many there are, and the highest number that a server has given without a tag; empty when it has given none. */
    static Optional<Commits> commits(String set, String server) {
        String own = server.toLowerCase(Locale.ROOT);
        OptionalLong last = OptionalLong.empty();
        long count = 0;
        for (String part : set.replaceAll("\\s", "").toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] intervals = part.split(":", -1);
            count += count(intervals);
            if (intervals[0].equals(own)) {
                last = highest(intervals);
            }
        }
        return last.isEmpty() ? Optional.empty() : Optional.of(new Commits(last.getAsLong(), count));
    }

    private static OptionalLong highest(String[] intervals) {
        OptionalLong highest = OptionalLong.empty();
        for (int i = 1; i < intervals.length; i++) {
            if (!isInterval(intervals[i])) {
                break; // from here on they have a tag
            }
            highest = OptionalLong.of(end(intervals[i]));
        }
        return highest;
    }

    private static long count(String[] intervals) {
        long count = 0;
        for (int i = 1; i < intervals.length; i++) {
            if (isInterval(intervals[i])) {
                int dash = intervals[i].indexOf('-');
                count += dash < 0 ? 1 : end(intervals[i]) - Long.parseLong(intervals[i].substring(0, dash)) + 1;
            }
        }
        return count;
    }

    /** Tags begin with a letter or an underscore. */
    private static boolean isInterval(String text) {
        return Character.isDigit(text.charAt(0));
    }

    private static long end(String interval) {
        return Long.parseLong(interval.substring(interval.indexOf('-') + 1));
    }
}
