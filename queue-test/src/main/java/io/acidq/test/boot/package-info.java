/**
 * Annotations for tests of Spring Boot applications: {@link io.acidq.test.boot.QueueTest} for slices,
 * {@link io.acidq.test.boot.AutoConfigureTestQueue} for use with {@code @SpringBootTest}.
 */
@NullMarked
package io.acidq.test.boot;

import org.jspecify.annotations.NullMarked;
