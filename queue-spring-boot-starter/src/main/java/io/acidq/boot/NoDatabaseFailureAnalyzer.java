package io.acidq.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;

/** Explains that a bean of AcidQ is missing because AcidQ has found no database. Runs before Boot's analyzer. */
final class NoDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException>
        implements Ordered {

    static final String ACTION =
            "define one DataSource, mark one @Primary, define a Store bean, or set acidq.enabled=false";

    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        ResolvableType type = cause.getResolvableType();
        if (type == null
                || cause instanceof NoUniqueBeanDefinitionException
                || !type.toClass().getName().startsWith("io.acidq.")) {
            return null;
        }
        return new FailureAnalysis(
                "A bean of type " + type
                        + " is required, but AcidQ is not active: it found no DataSource bean, or several and none of"
                        + " them @Primary, or acidq.enabled is false, or this is a test slice without queues.",
                "Give AcidQ a database: define one DataSource, mark one @Primary, or define a Store bean. If AcidQ is disabled by"
                        + " acidq.enabled=false, inject an ObjectProvider of the bean. In a test slice, replace the bean with"
                        + " @MockitoBean, or add @AutoConfigureTestQueue if the slice has a DataSource.",
                cause);
    }
}
