/**
 * AcidQ in Spring, as applications see it: the annotations, {@code QueueTemplate}, the engines, and the interfaces that an application's own
 * beans may implement. Knows no store; plain Spring begins with {@code @EnableAcidQ}. The packages below it are not API, but for
 * {@code SpringTransactions}.
 */
@NullMarked
package io.acidq.spring;

import org.jspecify.annotations.NullMarked;
