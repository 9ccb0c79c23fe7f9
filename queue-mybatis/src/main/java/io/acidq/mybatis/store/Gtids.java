package io.acidq.mybatis.store;

import java.util.Locale;
import java.util.OptionalLong;

/** Reads sets of global transaction identifiers: {@code uuid:1-5:7:tag:1-3,uuid:…}. */
final class Gtids {

    private Gtids() {}

    /** The highest number that a server has given without a tag; empty when it has given none. */
    static OptionalLong last(String set, String server) {
        String own = server.toLowerCase(Locale.ROOT) + ":";
        for (String part : set.replaceAll("\\s", "").toLowerCase(Locale.ROOT).split(",", -1)) {
            if (part.startsWith(own)) {
                return highest(part.substring(own.length()));
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong highest(String intervals) {
        OptionalLong highest = OptionalLong.empty();
        for (String interval : intervals.split(":", -1)) {
            if (!Character.isDigit(interval.charAt(0))) {
                break; // from here on they have a tag
            }
            highest = OptionalLong.of(Long.parseLong(interval.substring(interval.indexOf('-') + 1)));
        }
        return highest;
    }
}
