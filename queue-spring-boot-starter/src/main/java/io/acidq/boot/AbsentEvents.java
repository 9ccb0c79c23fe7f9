package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.spring.PublishedTo;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Refuses events that were to become messages, where there is no database for them. */
final class AbsentEvents implements GenericApplicationListener {

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
