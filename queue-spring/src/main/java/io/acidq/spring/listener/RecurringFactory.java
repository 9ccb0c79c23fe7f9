package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.Recurring;
import io.acidq.Recurring.Misfire;
import io.acidq.Recurring.Overlap;
import io.acidq.Schedule;
import io.acidq.Tick;
import io.acidq.engine.EngineBuilder;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.QueueListener;
import io.acidq.spring.RecurringMessage;
import io.acidq.spring.expression.AnnotationAttributes;
import io.acidq.spring.listener.ListenerFactory.DeclaredListener;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** Declares the recurring messages of the application: methods with {@link RecurringMessage}, and beans of type {@link Recurring}. Not API. */
final class RecurringFactory {

    private static final Logger log = LoggerFactory.getLogger(RecurringFactory.class);
    private static final String NONE = "-";

    private final ConfigurableListableBeanFactory beanFactory;
    private final AnnotationAttributes attributes;

    RecurringFactory(ConfigurableListableBeanFactory beanFactory, AnnotationAttributes attributes) {
        this.beanFactory = beanFactory;
        this.attributes = attributes;
    }

    /** Adds to an engine those of its listeners and, if it is the main engine, all others. */
    void addTo(EngineBuilder builder, String engine, List<DeclaredListener> listeners) {
        listeners.stream()
                .map(DeclaredListener::method)
                .distinct()
                .forEach(method -> annotations(method.method())
                        .forEach(annotation -> declare(
                                builder,
                                method.where(),
                                annotation,
                                () -> ofListener(annotation, queuesOf(method, listeners)))));
        if (engine.equals(QueueEngines.MAIN)) {
            for (String name : beanFactory.getBeanDefinitionNames()) {
                methods(name)
                        .forEach(method -> annotations(method)
                                .forEach(annotation -> declare(
                                        builder,
                                        AnnotationAttributes.nameOf(method),
                                        annotation,
                                        () -> ofMethod(annotation, name, method))));
            }
            beanFactory.getBeanProvider(Recurring.class).orderedStream().forEach(builder::recurring);
        }
    }

    private static List<DeclaredListener> queuesOf(AnnotatedMethod method, List<DeclaredListener> listeners) {
        return listeners.stream().filter(each -> each.method().equals(method)).toList();
    }

    private static Set<RecurringMessage> annotations(Method method) {
        return AnnotatedElementUtils.getMergedRepeatableAnnotations(
                method, RecurringMessage.class, RecurringMessage.List.class);
    }

    /** Finds the annotated methods of a bean that are no listeners. The bean is not created. */
    private Set<Method> methods(String name) {
        if (ScopedProxyUtils.isScopedTarget(name)) {
            return Set.of();
        }
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beanFactory, name);
            if (type == null
                    || !AnnotationUtils.isCandidateClass(
                            type, List.of(RecurringMessage.class, RecurringMessage.List.class))) {
                return Set.of();
            }
            return MethodIntrospector.selectMethods(type, RecurringFactory::isPayloadMethod);
        } catch (RuntimeException | LinkageError e) { // a class whose optional dependencies are missing
            log.debug(
                    "the methods of bean '{}' cannot be read, so they are not searched for recurring messages",
                    name,
                    e);
            return Set.of();
        }
    }

    private static boolean isPayloadMethod(Method method) {
        return !annotations(method).isEmpty() && !AnnotatedElementUtils.hasAnnotation(method, QueueListener.class);
    }

    private void declare(EngineBuilder builder, String where, RecurringMessage annotation, Supplier<Recurring> read) {
        try {
            if (!attributes.text("cron", annotation.cron()).equals(NONE)) {
                builder.recurring(read.get());
            }
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("@RecurringMessage on " + where + ": " + e.getMessage(), e);
        }
    }

    private Recurring ofListener(RecurringMessage annotation, List<DeclaredListener> listeners) {
        String queue = listeners.get(0).queue();
        if (!attributes.text("queue", annotation.queue()).isEmpty() || listeners.size() > 1) {
            throw new QueueMisuseException(
                    "the message goes to the queue of the listener, which must have one queue, and has "
                            + listeners.stream().map(DeclaredListener::queue).toList()
                            + ": leave out queue here, and name one queue in @QueueListener");
        }
        Class<?> type = listeners.get(0).listener().payloadType();
        if (!type.isAssignableFrom(Tick.class)) {
            throw new QueueMisuseException(
                    "the payload of a tick is io.acidq.Tick, but the listener takes " + type.getName()
                            + ": take a Tick, or move the annotation to a method of a bean that returns the payload, and set queue = \""
                            + queue + "\"");
        }
        return read(annotation, queue);
    }

    private Recurring ofMethod(RecurringMessage annotation, String beanName, Method method) {
        String queue = attributes.text("queue", annotation.queue());
        if (queue.isEmpty()) {
            throw new QueueMisuseException(
                    "the method has no @QueueListener, so set queue: the queue that each tick enqueues to");
        }
        if (method.getParameterCount() > 0 || method.getReturnType() == void.class) {
            throw new QueueMisuseException(
                    "the payload is what the method returns: give it no parameters and a payload as its return type");
        }
        Object bean = beanFactory.getBean(beanName);
        Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
        ReflectionUtils.makeAccessible(invocable);
        Object payload;
        try {
            payload = ReflectionUtils.invokeMethod(invocable, bean);
        } catch (RuntimeException e) {
            throw new QueueMisuseException(
                    "the method, which is called once at the start for the payload of all ticks, threw " + e
                            + ": correct it, or give the value that it needs",
                    e);
        }
        if (payload == null) {
            throw new QueueMisuseException(
                    "the method returned null: return the payload, even if it is an empty record");
        }
        return read(annotation, queue).withPayload(payload);
    }

    private Recurring read(RecurringMessage annotation, String queue) {
        String name = attributes.text("name", annotation.name());
        Recurring message = Recurring.message(name.isEmpty() ? queue : name, schedule(annotation), queue);
        String misfire = attributes.text("misfire", annotation.misfire());
        if (!misfire.isEmpty()) {
            message = message.withMisfire(Misfire.parse(misfire));
        }
        Duration grace = attributes.duration("grace", attributes.text("grace", annotation.grace()));
        if (grace != null) {
            message = message.withGrace(grace);
        }
        Duration expiresAfter =
                attributes.duration("expiresAfter", attributes.text("expiresAfter", annotation.expiresAfter()));
        if (expiresAfter != null) {
            message = message.withExpiresAfter(expiresAfter);
        }
        Duration spread = attributes.duration("spread", attributes.text("spread", annotation.spread()));
        if (spread != null) {
            message = message.withSpread(spread);
        }
        String overlap = attributes.text("overlap", annotation.overlap());
        return switch (overlap) {
            case "", "allow" -> message;
            case "skip" -> message.withOverlap(Overlap.SKIP);
            default -> throw new QueueMisuseException("overlap must be allow or skip, was '" + overlap + "'");
        };
    }

    private Schedule schedule(RecurringMessage annotation) {
        String cron = attributes.text("cron", annotation.cron());
        String every = attributes.text("every", annotation.every());
        String after = attributes.text("after", annotation.after());
        String zone = attributes.text("zone", annotation.zone());
        if (Stream.of(cron, every, after).filter(text -> !text.isEmpty()).count() != 1) {
            throw new QueueMisuseException("set one of cron, every and after, was cron = \"" + cron + "\", every = \""
                    + every + "\", after = \"" + after + "\"");
        }
        if (!cron.isEmpty()) {
            return Schedule.cron(cron, zone);
        }
        return Schedule.parse(every.isEmpty() ? "after " + after : "every " + every, zone);
    }
}
