/**
 * Support for tests of applications that use AcidQ. {@link io.acidq.test.TestQueue} runs an engine over the real tables step by step. {@link
 * io.acidq.test.RecordingQueue} needs no database. {@link io.acidq.test.QueueAssert#assertThat} is the entry point of the assertions for both.
 */
@NullMarked
package io.acidq.test;

import org.jspecify.annotations.NullMarked;
