/**
 * The beans behind {@code @EnableAcidQ}: the engines, their start and stop, and what of an engine an application may inject before the engine
 * is built. Not API.
 */
@NullMarked
package io.acidq.spring.config;

import org.jspecify.annotations.NullMarked;
