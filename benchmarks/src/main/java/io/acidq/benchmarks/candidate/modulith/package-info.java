/** Spring Modulith's event publications as a candidate. */
@NullMarked
package io.acidq.benchmarks.candidate.modulith;

import org.jspecify.annotations.NullMarked;
