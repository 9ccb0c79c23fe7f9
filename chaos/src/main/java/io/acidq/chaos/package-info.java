/** Injects faults into a running AcidQ and audits the result: {@link io.acidq.chaos.Chaos}. */
@NullMarked
package io.acidq.chaos;

import org.jspecify.annotations.NullMarked;
