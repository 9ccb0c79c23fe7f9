package io.acidq.spring;

import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState.Kind;
import java.util.Optional;
import java.util.Set;

/**
 * Finds guards that are not beans of AcidQ's types, such as those in a registry of Resilience4j. Beans of this type are asked at startup, in
 * their order, for each name in {@link QueueListener#breaker()}, {@link QueueListener#rateLimit()} and {@link QueueListener#bulkhead()} for
 * which there is no bean.
 */
public interface GuardFinder {

    /**
     * Finds a guard.
     *
     * @param kind circuit breaker, rate limit or bulkhead
     * @param name the name that the listener refers to
     * @return the guard; empty if this finder does not know it
     */
    Optional<Guard.Source> find(Kind kind, String name);

    /** Returns the names of the guards of a kind that this finder knows, for error messages. */
    Set<String> names(Kind kind);
}
