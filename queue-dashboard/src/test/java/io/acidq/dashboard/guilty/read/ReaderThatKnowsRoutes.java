package io.acidq.dashboard.guilty.read;

import io.acidq.dashboard.route.Route;

/** Reads, and knows who asks. */
final class ReaderThatKnowsRoutes {

    Route route;
}
