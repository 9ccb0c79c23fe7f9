package io.acidq.spring.publish;

import io.acidq.spring.expression.ExpressionVariables;
import io.acidq.spring.publish.PublishOperationSource.MethodOperations;
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

/**
 * Interceptor that runs the body of a method with {@link io.acidq.spring.Publish} and then enqueues its messages. It is the innermost advice,
 * so it runs inside the transaction.
 */
final class PublishInterceptor implements MethodInterceptor {

    private final PublishOperationSource source;
    private final BeanResolver beans;
    private final Publisher publisher;

    PublishInterceptor(PublishOperationSource source, BeanFactory beanFactory) {
        this.source = source;
        this.beans = new BeanFactoryResolver(beanFactory);
        this.publisher = new Publisher(new PublishTargetResolver(beanFactory));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type =
                target == null ? call.getMethod().getDeclaringClass() : AopProxyUtils.ultimateTargetClass(target);
        MethodOperations publishing = source.operations(call.getMethod(), type);
        publisher.requireTransaction(publishing.operations(), "The method was not called");
        Object returned = call.proceed();
        Object result = returned instanceof Optional<?> optional ? optional.orElse(null) : returned;
        if (!publishing.isNothing(result)) {
            Root root = new Root(publishing.method(), call.getArguments(), target, type);
            publisher.publish(publishing.operations(), () -> context(root, result), result);
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

    /** The root object of the expressions, {@code #root}. */
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
