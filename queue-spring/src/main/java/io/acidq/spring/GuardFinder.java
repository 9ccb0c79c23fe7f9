package io.acidq.spring;

import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState.Kind;
import java.util.Optional;
import java.util.Set;

/** Knows guards by name that are no beans of AcidQ's types, such as those in registries of Resilience4j. Asked at start, after beans. */
public interface GuardFinder {

    /** The guard of this kind and name; empty when it is not known here. */
    Optional<Guard.Source> find(Kind kind, String name);

    /** The names that are known here, for error messages. */
    Set<String> names(Kind kind);
}
