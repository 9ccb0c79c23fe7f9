package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.spring.Publish;
import io.acidq.spring.PublishedTo;
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
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Auto-configuration for an application in which AcidQ has found no database. Beans with AcidQ's annotations fail the start, because a message
 * that is silently not published would be worse.
 */
@AutoConfiguration(after = AcidqAutoConfiguration.class)
@ConditionalOnProperty(prefix = "acidq", name = "enabled", matchIfMissing = true)
@ConditionalOnMissingBean(Store.class)
class AcidqAbsentAutoConfiguration {

    @Bean
    static BeanPostProcessor acidqAbsence() {
        return new AnnotationRefusal();
    }

    @Bean
    static DisabledEventPublishing acidqDisabledEventPublishing() {
        return new DisabledEventPublishing();
    }

    /** Refuses beans with {@link Publish} or {@link QueueListener}. */
    private static final class AnnotationRefusal implements BeanPostProcessor {

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

    /** Refuses events with {@link PublishedTo}, because there is no database for their messages. */
    static final class DisabledEventPublishing implements GenericApplicationListener {

        @Override
        public boolean supportsEventType(ResolvableType eventType) {
            Class<?> type = eventType.toClass();
            return isMarked(
                    PayloadApplicationEvent.class.isAssignableFrom(type)
                            ? eventType
                                    .as(PayloadApplicationEvent.class)
                                    .getGeneric()
                                    .toClass()
                            : type);
        }

        private static boolean isMarked(Class<?> type) {
            return !AnnotatedElementUtils.findMergedRepeatableAnnotations(type, PublishedTo.class)
                    .isEmpty();
        }

        @Override
        public void onApplicationEvent(ApplicationEvent event) {
            throw QueueMisuseException.withAction(
                    "an event with @PublishedTo was published (" + event
                            + "), but AcidQ has no database: there is no DataSource bean, or"
                            + " several and none of them @Primary",
                    NoDatabaseFailureAnalyzer.ACTION);
        }
    }
}
