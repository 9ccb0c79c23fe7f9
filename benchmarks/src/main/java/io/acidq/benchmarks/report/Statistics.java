package io.acidq.benchmarks.report;

import java.util.Arrays;
import java.util.Collection;

/** Of figures, in which those that are not a number are left out. */
final class Statistics {

    private Statistics() {}

    /** Not a number when there is nothing; the mean of the two in the middle when they are even. */
    static double median(Collection<Double> values) {
        double[] sorted = sorted(values);
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    static double least(Collection<Double> values) {
        double[] sorted = sorted(values);
        return sorted.length == 0 ? Double.NaN : sorted[0];
    }

    static double most(Collection<Double> values) {
        double[] sorted = sorted(values);
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length - 1];
    }

    private static double[] sorted(Collection<Double> values) {
        double[] sorted = values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
