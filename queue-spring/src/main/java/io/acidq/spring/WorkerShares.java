package io.acidq.spring;

import io.acidq.config.Listener;
import java.util.List;

/** Sees to it that the workers of an engine's listeners together are not more than there is room for. */
@FunctionalInterface
interface WorkerShares {

    /** As many as the listeners ask for. */
    WorkerShares ALL = listeners -> listeners;

    /** The same listeners, with fewer workers where there is no room for more. */
    List<Listener<?>> share(List<Listener<?>> listeners);
}
