package io.acidq.dashboard.read;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Finds the names that are most like one that was mistyped. */
final class SimilarNames {

    private SimilarNames() {}

    /** Returns the names most like this one, the most similar first. */
    static List<String> of(String name, Stream<String> names, int limit) {
        String wanted = name.toLowerCase(Locale.ROOT);
        return names.sorted(Comparator.comparingInt((String each) -> distance(wanted, each.toLowerCase(Locale.ROOT)))
                        .thenComparing(each -> each))
                .limit(limit)
                .toList();
    }

    /** Returns the number of letters to add, remove or replace (Levenshtein). Names have at most 100. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
