/** For the tests of applications that use AcidQ: a queue that records instead of sending, and assertions on it. */
@NullMarked
package io.acidq.test;

import org.jspecify.annotations.NullMarked;
