/**
 * The publish side: {@code @Publish} on methods, {@code @PublishedTo} on events, and injected queue templates. A {@code @Publish} is parsed
 * when its bean is created and enqueued by the interceptor, inside the caller's transaction. Not API.
 */
@NullMarked
package io.acidq.spring.publish;

import org.jspecify.annotations.NullMarked;
