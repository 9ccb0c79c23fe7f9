/**
 * ArchUnit rules for code that publishes messages and listens to queues. They find mistakes that the compiler does not see. The rules know the annotations
 * by name, so they fit every version of AcidQ, and applications without Spring.
 */
@NullMarked
package io.acidq.archunit;

import org.jspecify.annotations.NullMarked;
