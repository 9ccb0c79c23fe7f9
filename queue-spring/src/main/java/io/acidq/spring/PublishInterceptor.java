package io.acidq.spring;

import java.lang.reflect.Method;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;

/** Runs the body of a method with {@link Publish}, then enqueues what it says. The innermost advice, so the transaction is around it. */
final class PublishInterceptor implements MethodInterceptor {

    private final PublishRules rules;
    private final BeanResolver beans;
    private final Publisher publisher;

    PublishInterceptor(PublishRules rules, BeanFactory beanFactory) {
        this.rules = rules;
        this.beans = new BeanFactoryResolver(beanFactory);
        this.publisher = new Publisher(new QueueFinder(beanFactory));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type =
                target == null ? call.getMethod().getDeclaringClass() : AopProxyUtils.ultimateTargetClass(target);
        PublishingMethod publishing = rules.of(call.getMethod(), type);
        publisher.requireTransaction(publishing.rules(), "The method was not run");
        Object returned = call.proceed();
        Object result = returned instanceof Optional<?> optional ? optional.orElse(null) : returned;
        if (!publishing.isNothing(result)) {
            Root root = new Root(publishing.method(), call.getArguments(), target, type);
            publisher.publish(publishing.rules(), () -> context(root, result), result);
        }
        return returned;
    }

    private EvaluationContext context(Root root, @Nullable Object result) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(root, root.method, root.args, ExpressionVariables.PARAMETER_NAMES);
        context.setVariable("result", result);
        context.setBeanResolver(beans);
        return context;
    }

    /** What {@code #root} is in an expression. */
    private record Root(
            Method method,
            String methodName,
            @Nullable Object[] args,
            @Nullable Object target,
            Class<?> targetClass) {

        Root(Method method, @Nullable Object[] args, @Nullable Object target, Class<?> targetClass) {
            this(method, method.getName(), args, target, targetClass);
        }
    }
}
