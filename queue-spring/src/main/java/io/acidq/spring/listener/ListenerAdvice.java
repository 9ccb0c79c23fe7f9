package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.config.HandlerMode;
import java.lang.reflect.AnnotatedElement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.cache.annotation.AnnotationCacheOperationSource;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;

/**
 * The advice around listener methods. Refuses a method that its proxy may call on another thread, not at all, or several times in the transaction of the message.
 * Each of them would acknowledge a message whose work is not done, or is done twice. Advice of the application's own is not known here.
 */
final class ListenerAdvice {

    private static final String ASYNCHRONOUS =
            "is asynchronous (@Async): its message would be done before the work is, and a failure would be lost. Remove @Async;"
                    + " AcidQ calls the method on threads of its own (concurrency), and mode = \"external\" needs no transaction";

    private static final String CACHED =
            "is cached (@Cacheable): a message whose result is in the cache would be done without a call. Remove the annotation, or cache a method that"
                    + " the listener calls; a message key refuses the second of two equal messages";

    private static final CacheOperationSource CACHE_OPERATIONS = new AnnotationCacheOperationSource(false);

    /** Annotations of other libraries with which a message may be done without a call, by name because they are optional. */
    private static final Map<String, String> SKIPPING = Map.of(
            "javax.cache.annotation.CacheResult",
            CACHED,
            "net.javacrumbs.shedlock.spring.annotation.SchedulerLock",
            "is locked (@SchedulerLock): while another process holds the lock, a message would be done without a call. Remove the annotation; each"
                    + " message is run by one process at a time, and an ordering key lets only one of several messages run");

    /** Annotations of other libraries with a method that is called in place of the listener, or after it has failed. */
    private static final Map<String, List<String>> FALLBACKS = Map.of(
            "io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker", List.of("fallbackMethod"),
            "io.github.resilience4j.retry.annotation.Retry", List.of("fallbackMethod"),
            "io.github.resilience4j.ratelimiter.annotation.RateLimiter", List.of("fallbackMethod"),
            "io.github.resilience4j.bulkhead.annotation.Bulkhead", List.of("fallbackMethod"),
            "io.github.resilience4j.timelimiter.annotation.TimeLimiter", List.of("fallbackMethod"),
            "com.alibaba.csp.sentinel.annotation.SentinelResource",
                    List.of("blockHandler", "fallback", "defaultFallback"));

    private static final List<String> REPEATING = List.of(
            "org.springframework.resilience.annotation.Retryable",
            "org.springframework.retry.annotation.Retryable",
            "io.github.resilience4j.retry.annotation.Retry");

    private ListenerAdvice() {}

    /** Returns why the annotations of a method forbid it as a listener, or null. */
    static @Nullable String refusal(AnnotatedMethod method) {
        if (AnnotatedElementUtils.hasAnnotation(method.method(), Async.class)
                || AnnotatedElementUtils.hasAnnotation(method.type(), Async.class)) {
            return ASYNCHRONOUS;
        }
        if (isCached(CACHE_OPERATIONS, method)) {
            return CACHED;
        }
        for (AnnotatedElement element : List.of(method.method(), method.type())) {
            MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
            for (Map.Entry<String, String> skipping : SKIPPING.entrySet()) {
                if (annotations.isPresent(skipping.getKey())) {
                    return skipping.getValue();
                }
            }
            for (Map.Entry<String, List<String>> fallback : FALLBACKS.entrySet()) {
                MergedAnnotation<?> annotation = annotations.get(fallback.getKey());
                for (String attribute : fallback.getValue()) {
                    if (!annotation.getValue(attribute, String.class).orElse("").isEmpty()) {
                        return "has a fallback (@" + shortName(fallback.getKey()) + ", " + attribute
                                + "): its message would be done without the work, or with a part of it. Remove the attribute, or the annotation, and use breaker,"
                                + " rateLimit, bulkhead, retry or errorHandler of @QueueListener: they leave the message in the queue, or undo the part";
                    }
                }
            }
        }
        return null;
    }

    /**
     * Refuses a method that its proxy calls again after a failure, in the same transaction.
     *
     * @throws QueueMisuseException if it does, and the mode is transactional
     */
    static void refuseRepetition(AnnotatedMethod method, HandlerMode mode) {
        if (mode != HandlerMode.TRANSACTIONAL) {
            return;
        }
        for (AnnotatedElement element : List.of(method.method(), method.type())) {
            MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
            for (String repeating : REPEATING) {
                if (annotations.isPresent(repeating)) {
                    throw QueueMisuseException.withAction(
                            "@" + shortName(repeating)
                                    + " calls the method again in the transaction of the failed call, so the effects of both would commit",
                            "remove it and set retry on @QueueListener, which rolls back before it calls again; or put it on a method that the listener calls and"
                                    + " that changes nothing in this database");
                }
            }
        }
    }

    /**
     * Refuses a method that the advice of the bean's proxies, which needs no annotation on it, runs on another thread or caches.
     *
     * @throws QueueMisuseException if one of them does
     */
    static void refuseAdvice(AnnotatedMethod method, Object bean) {
        for (Object proxy = bean; proxy instanceof Advised advised; proxy = AopProxyUtils.getSingletonTarget(advised)) {
            for (Advisor advisor : advised.getAdvisors()) {
                String refusal = refusal(method, advisor);
                if (refusal != null) {
                    throw new QueueMisuseException("@QueueListener on " + method.where() + " " + refusal);
                }
            }
        }
    }

    private static @Nullable String refusal(AnnotatedMethod method, Advisor advisor) {
        if (advisor.getAdvice() instanceof AsyncExecutionInterceptor
                && advisor instanceof PointcutAdvisor pointcut
                && pointcut.getPointcut().getClassFilter().matches(method.type())
                && pointcut.getPointcut().getMethodMatcher().matches(method.method(), method.type())) {
            return ASYNCHRONOUS;
        }
        return advisor.getAdvice() instanceof CacheAspectSupport caching
                        && caching.getCacheOperationSource() != null
                        && isCached(caching.getCacheOperationSource(), method)
                ? CACHED
                : null;
    }

    private static boolean isCached(CacheOperationSource source, AnnotatedMethod method) {
        Collection<CacheOperation> operations = source.getCacheOperations(method.method(), method.type());
        return operations != null && operations.stream().anyMatch(CacheableOperation.class::isInstance);
    }

    private static String shortName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
