/**
 * ArchUnit rules for applications: what the compiler does not see of code that publishes messages and listens to queues. The annotations are
 * known by their names, so the rules fit every version of AcidQ and applications without Spring.
 */
@NullMarked
package io.acidq.archunit;

import org.jspecify.annotations.NullMarked;
