package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueListener;
import io.acidq.spring.expression.AnnotationAttributes;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionVisitor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.SynthesizingMethodParameter;
import org.springframework.util.ClassUtils;

/**
 * A method with {@link QueueListener}.
 *
 * @param beanFactory the factory that defines the bean
 * @param beanName    the bean that the method belongs to
 * @param type        the bean's class, by which the type variables of the method's class are resolved
 * @param method      the method
 * @param annotation  the annotation on it
 */
record AnnotatedMethod(
        ConfigurableListableBeanFactory beanFactory,
        String beanName,
        Class<?> type,
        Method method,
        QueueListener annotation) {

    private static final Logger log = LoggerFactory.getLogger(AnnotatedMethod.class);

    /**
     * Finds the methods of all beans, including those behind proxies. The class of an existing bean is known. Of another one the definition is used,
     * and the bean is not created.
     *
     * @param create whether to create a lazy singleton, or the product of a {@code FactoryBean}, if its definition does not tell its class
     */
    static List<AnnotatedMethod> findAll(ConfigurableListableBeanFactory beanFactory, boolean create) {
        List<String> names = new ArrayList<>();
        beanFactory.getBeanNamesIterator().forEachRemaining(names::add); // a copy, because a bean may register others
        names.addAll(names.stream()
                .map(name -> BeanFactory.FACTORY_BEAN_PREFIX + name)
                .toList());
        List<AnnotatedMethod> found = new ArrayList<>();
        for (String name : names) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : typeOf(beanFactory, name, create);
            if (type != null) {
                found.addAll(of(beanFactory, name, type));
            }
        }
        return found;
    }

    /**
     * Finds the methods of inner beans, which are values in the definition of another bean, as in XML. They have no name by which they could be
     * called.
     */
    static List<AnnotatedMethod> ofInnerBeans(ConfigurableListableBeanFactory beanFactory) {
        List<AnnotatedMethod> found = new ArrayList<>();
        for (String name : beanFactory.getBeanDefinitionNames()) {
            try {
                BeanDefinition outer = beanFactory.getMergedBeanDefinition(name);
                if (!outer.isAbstract()) {
                    found.addAll(ofInnerBeans(beanFactory, name, outer));
                }
            } catch (RuntimeException e) { // a definition that Spring does not accept either, if the bean is needed
                log.debug("the definition of bean '{}' cannot be read, so it is not searched for inner beans", name, e);
            }
        }
        return found;
    }

    private static List<AnnotatedMethod> ofInnerBeans(
            ConfigurableListableBeanFactory beanFactory, String name, BeanDefinition outer) {
        List<AnnotatedMethod> found = new ArrayList<>();
        new BeanDefinitionVisitor(text -> text) {
            @Override
            public void visitBeanDefinition(BeanDefinition definition) {
                super.visitBeanDefinition(definition);
                Class<?> type = definition == outer ? null : declaredClass(beanFactory, definition);
                if (type != null) {
                    found.addAll(of(beanFactory, name, type));
                }
            }
        }.visitBeanDefinition(outer);
        return found;
    }

    private static @Nullable Class<?> declaredClass(
            ConfigurableListableBeanFactory beanFactory, BeanDefinition definition) {
        String name = definition.getFactoryMethodName() == null ? definition.getBeanClassName() : null;
        try {
            return name == null ? null : ClassUtils.forName(name, beanFactory.getBeanClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null; // the creation of the bean reports it
        }
    }

    /** Returns the methods of a bean of this class. */
    static List<AnnotatedMethod> of(ConfigurableListableBeanFactory beanFactory, String name, Class<?> type) {
        List<AnnotatedMethod> found = new ArrayList<>();
        try {
            if (AnnotationUtils.isCandidateClass(type, QueueListener.class)) {
                MethodIntrospector.selectMethods(type, (MetadataLookup<QueueListener>)
                                method -> AnnotatedElementUtils.findMergedAnnotation(method, QueueListener.class))
                        .forEach((method, annotation) ->
                                found.add(new AnnotatedMethod(beanFactory, name, type, method, annotation)));
            }
        } catch (RuntimeException | LinkageError e) { // a class whose optional dependencies are missing
            log.debug("the methods of bean '{}' cannot be read, so they are not searched for listeners", name, e);
        }
        return found;
    }

    private static @Nullable Class<?> typeOf(ConfigurableListableBeanFactory beanFactory, String name, boolean create) {
        try {
            boolean isAbstract = beanFactory.containsBeanDefinition(name)
                    && beanFactory.getMergedBeanDefinition(name).isAbstract();
            if (isAbstract || (BeanFactoryUtils.isFactoryDereference(name) && !beanFactory.isFactoryBean(name))) {
                return null;
            }
            Class<?> type = targetClass(beanFactory, name);
            if (type != null && ScopedObject.class.isAssignableFrom(type)) {
                Class<?> target = targetClass(beanFactory, ScopedProxyUtils.getTargetBeanName(name));
                return target == null ? type : target;
            }
            return create && mayHideItsClass(beanFactory, name, type) ? classOfCreated(beanFactory, name, type) : type;
        } catch (RuntimeException | LinkageError e) {
            log.debug("the type of bean '{}' cannot be determined, so it is not searched for listeners", name, e);
            return null;
        }
    }

    private static @Nullable Class<?> targetClass(ConfigurableListableBeanFactory beanFactory, String name) {
        Object bean = beanFactory.getSingleton(name);
        return bean == null || bean instanceof FactoryBean<?>
                ? AutoProxyUtils.determineTargetClass(beanFactory, name)
                : AopProxyUtils.ultimateTargetClass(bean);
    }

    /**
     * Returns whether a lazy singleton, or the product of a {@code FactoryBean}, may be of another class than its definition tells. Without a look
     * at it, its listeners would be missing. Beans that Spring itself defines have none.
     */
    private static boolean mayHideItsClass(
            ConfigurableListableBeanFactory beanFactory, String name, @Nullable Class<?> type) {
        boolean isKnown = type != null && type != Object.class && !Modifier.isAbstract(type.getModifiers());
        if (isKnown || !beanFactory.containsBeanDefinition(name) || !beanFactory.isSingleton(name)) {
            return false;
        }
        BeanDefinition definition = beanFactory.getMergedBeanDefinition(name);
        Method factory = definition instanceof RootBeanDefinition root ? root.getResolvedFactoryMethod() : null;
        String definedBy = factory == null
                ? definition.getBeanClassName()
                : factory.getDeclaringClass().getName();
        return (definition.isLazyInit() || beanFactory.isFactoryBean(name))
                && !String.valueOf(definedBy).startsWith("org.springframework.");
    }

    private static @Nullable Class<?> classOfCreated(
            ConfigurableListableBeanFactory beanFactory, String name, @Nullable Class<?> type) {
        try {
            return AopProxyUtils.ultimateTargetClass(beanFactory.getBean(name));
        } catch (RuntimeException | LinkageError e) {
            log.warn(
                    "bean '{}' could not be created, so AcidQ could not look for @QueueListener methods in it: declare its class, such as by the return type of its @Bean method",
                    name,
                    e);
            return type;
        }
    }

    List<MethodParameter> parameters() {
        return IntStream.range(0, method.getParameterCount())
                .<MethodParameter>mapToObj(i -> new SynthesizingMethodParameter(method, i).withContainingClass(type))
                .toList();
    }

    /** Returns the method and its bean, for error messages. */
    String where() {
        return AnnotationAttributes.nameOf(method) + " of bean '" + beanName + "'";
    }

    /** Returns the same misuse with the name of the method in front. */
    QueueMisuseException misuse(QueueMisuseException why) {
        String text = String.valueOf(why.getMessage());
        boolean sentence = text.startsWith("has ")
                || text.startsWith("is ")
                || text.startsWith("takes ")
                || text.startsWith("returns ")
                || text.startsWith("does ");
        return new QueueMisuseException("@QueueListener on " + where() + (sentence ? " " : ": ") + text, why);
    }
}
