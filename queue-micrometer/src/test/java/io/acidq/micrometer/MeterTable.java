package io.acidq.micrometer;

import java.util.ArrayList;
import java.util.List;

/** What the table of meters promises. */
final class MeterTable {

    private MeterTable() {}

    static List<String> tags(AcidqMeter meter) {
        List<String> tags = new ArrayList<>(meter.tags());
        tags.add("engine");
        return tags;
    }
}
