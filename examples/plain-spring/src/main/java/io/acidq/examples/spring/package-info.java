/** The queue in an application of Spring Framework without Boot. */
@NullMarked
package io.acidq.examples.spring;

import org.jspecify.annotations.NullMarked;
