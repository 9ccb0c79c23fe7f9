package io.acidq.spring;

import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Finds the methods with {@link Publish} and the rule of each. A wrong declaration fails the creation of its bean. Thread-safe. */
final class PublishRules extends StaticMethodMatcherPointcut {

    private static final String REACTIVE = "org.reactivestreams.Publisher";

    private final Map<Method, PublishRule> rules = new ConcurrentHashMap<>();
    private final ConfigurableListableBeanFactory beanFactory;
    private final PublishSyntax syntax;

    PublishRules(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.syntax = new PublishSyntax(beanFactory);
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Publish.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return find(AopUtils.getMostSpecificMethod(method, targetClass)) != null;
    }

    /** The rule of a method that matches. */
    PublishRule of(Method method, Class<?> targetClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        PublishRule rule = find(specific);
        if (rule == null) {
            throw new IllegalStateException("no @Publish on " + MethodText.of(specific));
        }
        return rule;
    }

    private @Nullable PublishRule find(Method method) {
        PublishRule known = rules.get(method);
        if (known != null) {
            return known;
        }
        Publish publish = AnnotatedElementUtils.findMergedAnnotation(method, Publish.class);
        return publish == null ? null : rules.computeIfAbsent(method, m -> checked(m, publish));
    }

    private PublishRule checked(Method method, Publish publish) {
        refuse(
                Modifier.isPrivate(method.getModifiers())
                        || Modifier.isStatic(method.getModifiers())
                        || Modifier.isFinal(method.getModifiers()),
                method,
                "is private, static or final, so no proxy sees its calls: remove that modifier");
        refuse(
                method.getReturnType() == void.class && publish.payload().isBlank(),
                method,
                "returns void, so there is no payload: return it, or name it in payload = \"#parameter\"");
        refuse(
                isLater(method.getReturnType()),
                method,
                "returns a result of later, after the transaction has ended: return the result itself");
        refuse(
                publish.payload().isBlank() && isUnnamed(published(method)),
                method,
                "returns a " + published(method).getSimpleName()
                        + " of elements, which would be stored under the name of whatever class it has, for no listener to read:"
                        + " return a record that holds them, or enqueue each with MessageQueue.enqueueAll");
        refuse(
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, MessageQueue.class, true, false).length
                        == 0,
                method,
                "has no MessageQueue bean to publish to: with several DataSource beans mark one @Primary, or define a Store bean");
        try {
            return new PublishRule(method, publish, syntax);
        } catch (QueueMisuseException | MessageRejectedException e) {
            throw new QueueMisuseException("@Publish on " + MethodText.of(method) + ": " + e.getMessage(), e);
        }
    }

    private static Class<?> published(Method method) {
        ResolvableType returned = ResolvableType.forMethodReturnType(method);
        return (returned.toClass() == Optional.class ? returned.getGeneric(0) : returned).toClass();
    }

    /** Whether the class of the result is chance. An array, or a collection's subclass without type parameters, can be read again. */
    private static boolean isUnnamed(Class<?> published) {
        boolean several = Collection.class.isAssignableFrom(published) || Map.class.isAssignableFrom(published);
        return BaseStream.class.isAssignableFrom(published)
                || Iterator.class.isAssignableFrom(published)
                || (several && published.getTypeParameters().length > 0);
    }

    private static boolean isLater(Class<?> returned) {
        return Future.class.isAssignableFrom(returned)
                || CompletionStage.class.isAssignableFrom(returned)
                || Flow.Publisher.class.isAssignableFrom(returned)
                || ClassUtils.getAllInterfacesForClassAsSet(returned).stream()
                        .anyMatch(i -> i.getName().equals(REACTIVE));
    }

    private static void refuse(boolean wrong, Method method, String why) {
        if (wrong) {
            throw new QueueMisuseException("@Publish on " + MethodText.of(method) + " " + why);
        }
    }
}
