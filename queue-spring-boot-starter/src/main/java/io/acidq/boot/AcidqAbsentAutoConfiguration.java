package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.spring.Publish;
import io.acidq.spring.QueueListener;
import io.acidq.store.Store;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Where AcidQ found no database it stays away, and annotations that then do nothing fail the start: a message that is silently not
 * published is worse.
 */
@AutoConfiguration(after = AcidqAutoConfiguration.class)
@ConditionalOnProperty(prefix = "acidq", name = "enabled", matchIfMissing = true)
@ConditionalOnMissingBean(Store.class)
class AcidqAbsentAutoConfiguration {

    @Bean
    static BeanPostProcessor acidqAbsence() {
        return new Absence();
    }

    @Bean
    static AbsentEvents acidqAbsentEvents() {
        return new AbsentEvents();
    }

    /** Refuses beans with annotations of AcidQ. */
    private static final class Absence implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            Class<?> type = AopUtils.getTargetClass(bean);
            refuse(Publish.class, type, name);
            refuse(QueueListener.class, type, name);
            return bean;
        }

        private static void refuse(Class<? extends Annotation> annotation, Class<?> type, String name) {
            if (!AnnotationUtils.isCandidateClass(type, annotation)) {
                return;
            }
            Set<Method> found = MethodIntrospector.selectMethods(
                    type, (Method m) -> AnnotatedElementUtils.hasAnnotation(m, annotation));
            if (!found.isEmpty()) {
                throw QueueMisuseException.withAction(
                        "bean '" + name + "' uses @" + annotation.getSimpleName() + " on " + found
                                + ", but AcidQ has no database: there is no DataSource bean, or several and none of them @Primary",
                        NoDatabaseFailureAnalyzer.ACTION);
            }
        }
    }
}
