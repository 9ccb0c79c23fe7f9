package io.acidq.spring.publish;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Adds the publishing advice to beans with {@link io.acidq.spring.Publish}. It runs after the auto proxy creator and appends its advice as the
 * last, so that messages are enqueued inside the transaction whatever the order of {@code @EnableTransactionManagement}.
 */
final class PublishPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private static final long serialVersionUID = 1L;

    private transient @Nullable Runnable check;

    @Override
    public void setBeanFactory(BeanFactory factory) {
        super.setBeanFactory(factory);
        PublishOperationSource source = new PublishOperationSource((ConfigurableListableBeanFactory) factory);
        this.check = () -> source.requireQueues(new PublishTargetResolver(factory));
        this.advisor = new DefaultPointcutAdvisor(new PublishPointcut(source), new PublishInterceptor(source, factory));
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (check != null) {
            check.run();
        }
    }

    private static final class PublishPointcut extends StaticMethodMatcherPointcut {

        private final PublishOperationSource source;

        PublishPointcut(PublishOperationSource source) {
            this.source = source;
            setClassFilter(source::publishes);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return !source.operations(method, targetClass).isEmpty();
        }
    }
}
