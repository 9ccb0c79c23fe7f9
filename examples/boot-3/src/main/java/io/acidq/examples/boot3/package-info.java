/** The queue in an application of Spring Boot 3.5, which the starter is not made for. */
@NullMarked
package io.acidq.examples.boot3;

import org.jspecify.annotations.NullMarked;
