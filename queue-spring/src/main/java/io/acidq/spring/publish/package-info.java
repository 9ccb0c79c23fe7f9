/**
 * Publishing: {@code @Publish} on methods, {@code @PublishedTo} on events, and injected queue templates. A {@code @Publish} annotation is parsed
 * when its bean is created; the interceptor enqueues its messages in the caller's transaction. Not API.
 */
@NullMarked
package io.acidq.spring.publish;

import org.jspecify.annotations.NullMarked;
