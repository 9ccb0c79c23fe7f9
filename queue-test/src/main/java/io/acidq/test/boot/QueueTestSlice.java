package io.acidq.test.boot;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** How Spring Boot reads {@link QueueTest}. */
final class QueueTestSlice {

    private QueueTestSlice() {}

    /** Adds the properties of the annotation to the environment. */
    static final class ContextBootstrapper extends TestSliceTestContextBootstrapper<QueueTest> {}

    /** Excludes the components that the filters of the annotation do not include. */
    static final class ExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<QueueTest> {

        ExcludeFilter(Class<?> testClass) {
            super(testClass);
        }
    }
}
