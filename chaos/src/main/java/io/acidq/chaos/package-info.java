/** Kills, cuts and confuses a running AcidQ for a while, and audits what is left: {@link io.acidq.chaos.Chaos}. */
@NullMarked
package io.acidq.chaos;

import org.jspecify.annotations.NullMarked;
