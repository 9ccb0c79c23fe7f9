/** Libraries that users would choose instead of AcidQ, each in its best documented configuration. */
@NullMarked
package io.acidq.benchmarks.candidate.peer;

import org.jspecify.annotations.NullMarked;
