package io.acidq.spring;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ReflectionUtils;

/** Finds the methods with {@link Publish} and the rules of each. A wrong declaration fails the creation of its bean. Thread-safe. */
final class PublishRules extends StaticMethodMatcherPointcut {

    private final Map<AnnotatedElementKey, PublishingMethod> known = new ConcurrentHashMap<>();
    private final ConfigurableListableBeanFactory beanFactory;
    private final Placeholders placeholders;

    PublishRules(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.placeholders = new Placeholders(beanFactory);
        setClassFilter(this::publishes);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return of(method, targetClass).publishes();
    }

    /** What a method publishes when it is called on an object of this class. */
    PublishingMethod of(Method method, Class<?> targetClass) {
        AnnotatedElementKey key = new AnnotatedElementKey(method, targetClass);
        PublishingMethod found = known.get(key);
        if (found == null) {
            found = checked(specific(method, targetClass), targetClass);
            known.put(key, found);
        }
        return found;
    }

    /** Fails when one of those found so far can not publish: asked when all beans are there. */
    void requireQueues(QueueFinder queues) {
        known.values().stream().flatMap(each -> each.rules().stream()).forEach(rule -> rule.requireQueue(queues));
    }

    /** Looks at all methods: one that is wrong fails the start, though no proxy would ever ask for it. */
    private boolean publishes(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, Publish.class)
                && methods(type).filter(m -> of(m, type).publishes()).count() > 0;
    }

    private static Stream<Method> methods(Class<?> type) {
        return Proxy.isProxyClass(type)
                ? Arrays.stream(type.getInterfaces()).flatMap(i -> Arrays.stream(i.getMethods()))
                : Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)).filter(m -> !m.isBridge());
    }

    /** The methods of a proxy class, such as that of a mapper, are final and have no names; those of its interfaces count. */
    static Method specific(Method method, Class<?> targetClass) {
        return Proxy.isProxyClass(targetClass) ? method : AopUtils.getMostSpecificMethod(method, targetClass);
    }

    private PublishingMethod checked(Method method, Class<?> targetClass) {
        List<PublishRule> rules = new WrittenPublish(method, targetClass)
                .find()
                .map(annotation -> checked(method, annotation))
                .toList();
        return new PublishingMethod(method, rules);
    }

    private PublishRule checked(Method method, MergedAnnotation<Publish> publish) {
        refuse(
                Modifier.isPrivate(method.getModifiers())
                        || Modifier.isStatic(method.getModifiers())
                        || Modifier.isFinal(method.getModifiers()),
                method,
                "is private, static or final, so no proxy sees its calls: remove that modifier");
        PublishRule rule = new PublishRule(
                "@Publish on " + MethodText.of(method), publish, placeholders, ExpressionVariables.of(method));
        refuse(
                method.getReturnType() == void.class && !rule.hasPayload(),
                method,
                "returns void, so there is no payload: return it, or name it in payload = \"#parameter\"");
        if (!rule.hasPayload()) {
            Payloads.problem(published(method))
                    .ifPresent(why -> refuse(
                            true, method, "returns a " + published(method).getSimpleName() + ", which " + why));
        }
        refuse(
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, MessageQueue.class, true, false).length
                        == 0,
                method,
                "has no MessageQueue bean to publish to: with several DataSource beans mark one @Primary, or define a Store bean");
        return rule;
    }

    private static Class<?> published(Method method) {
        ResolvableType returned = ResolvableType.forMethodReturnType(method);
        return (returned.toClass() == Optional.class ? returned.getGeneric(0) : returned).toClass();
    }

    private static void refuse(boolean wrong, Method method, String why) {
        if (wrong) {
            throw new QueueMisuseException("@Publish on " + MethodText.of(method) + " " + why);
        }
    }
}
