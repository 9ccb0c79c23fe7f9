package io.acidq.spring;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.lang.reflect.Method;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.util.function.SingletonSupplier;

/** Runs the body of a method with {@link Publish}, then enqueues what it says. The innermost advice, so the transaction is around it. */
final class PublishInterceptor implements MethodInterceptor {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final PublishRules rules;
    private final BeanResolver beans;
    private final SingletonSupplier<Transactions> transactions;
    private final SingletonSupplier<MessageQueue> queue;

    PublishInterceptor(PublishRules rules, BeanFactory beanFactory) {
        this.rules = rules;
        this.beans = new BeanFactoryResolver(beanFactory);
        this.transactions =
                SingletonSupplier.of(() -> beanFactory.getBean(Store.class).transactions());
        this.queue = SingletonSupplier.of(() -> beanFactory.getBean(MessageQueue.class));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type =
                target == null ? call.getMethod().getDeclaringClass() : AopProxyUtils.ultimateTargetClass(target);
        PublishRule rule = rules.of(call.getMethod(), type);
        requireTransaction(rule);
        Object returned = call.proceed();
        Object result = returned instanceof Optional<?> optional ? optional.orElse(null) : returned;
        EvaluationContext context = context(new Root(rule.method(), call.getArguments(), target, type), result);
        rule.payload(context, result)
                .ifPresent(payload -> queue.obtain().enqueue(rule.queue(), payload, rule.options(context)));
        return returned;
    }

    /** Before the body: a method that cannot publish must not have had effects. */
    private void requireTransaction(PublishRule rule) {
        if (transactions.obtain().current() == null) {
            throw new QueueMisuseException("@Publish on " + rule.where() + " (queue '" + rule.queue()
                    + "') needs a transaction of the queue's database, so that the message commits with your data: add @Transactional"
                    + " (of the transaction manager of that database). The method was not run");
        }
        if (transactions.obtain().isReadOnly()) {
            throw new QueueMisuseException("@Publish on " + rule.where() + " (queue '" + rule.queue()
                    + "') is not possible in a read-only transaction: remove readOnly = true from its or its caller's @Transactional."
                    + " The method was not run");
        }
    }

    private EvaluationContext context(Root root, @Nullable Object result) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(root, root.method, root.args, NAMES);
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
