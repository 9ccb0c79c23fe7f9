/** Tests of Spring Boot applications: {@link io.acidq.test.boot.QueueTest}, and {@link io.acidq.test.boot.AutoConfigureTestQueue} beside {@code @SpringBootTest}. */
@NullMarked
package io.acidq.test.boot;

import org.jspecify.annotations.NullMarked;
