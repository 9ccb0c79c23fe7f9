/**
 * The configuration of {@code @EnableAcidQ}: the engines, their start and stop, and lazy proxies for parts of an engine that can be injected
 * before the engine is built. Not API.
 */
@NullMarked
package io.acidq.spring.config;

import org.jspecify.annotations.NullMarked;
