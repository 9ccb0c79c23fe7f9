/**
 * AcidQ in Spring: {@code @Publish} and {@code @QueueListener}, the engine as a lifecycle bean, and Spring's transactions behind
 * the port of the store. Knows no store; plain Spring begins with {@code @EnableAcidQ}.
 */
@NullMarked
package io.acidq.spring;

import org.jspecify.annotations.NullMarked;
