/** A shop with MyBatis of its own, which adopted AcidQ in one commit. */
@NullMarked
package io.acidq.examples.adoption;

import org.jspecify.annotations.NullMarked;
