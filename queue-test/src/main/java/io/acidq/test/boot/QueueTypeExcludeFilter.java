package io.acidq.test.boot;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Excludes the components that the filters of {@link QueueTest} do not include. */
final class QueueTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<QueueTest> {

    QueueTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }
}
