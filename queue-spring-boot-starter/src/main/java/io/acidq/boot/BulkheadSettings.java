package io.acidq.boot;

import io.acidq.resilience.Bulkhead;

/**
 * One limit of runs at once in this application.
 *
 * @param maxRunning How many handlers may run at once.
 */
record BulkheadSettings(int maxRunning) {

    Bulkhead bulkhead() {
        return new Bulkhead(maxRunning);
    }
}
