package io.acidq.test.boot;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** The classes through which Spring Boot's test slices evaluate {@link QueueTest}: its properties and its component filters. */
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
