package io.acidq.test.boot;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Reads the properties of {@link QueueTest}. */
final class QueueTestContextBootstrapper extends TestSliceTestContextBootstrapper<QueueTest> {}
