package io.acidq.test.boot;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Leaves out every component that the test does not ask for. */
final class QueueTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<QueueTest> {

    QueueTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }
}
