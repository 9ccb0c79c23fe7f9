package io.acidq.test.boot;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** The bootstrapper of {@link QueueTest}, which reads its properties. */
final class QueueTestContextBootstrapper extends TestSliceTestContextBootstrapper<QueueTest> {}
