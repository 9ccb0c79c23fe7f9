package io.acidq.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Puts the publishing advice on beans with {@link Publish}, behind all advice that is there: it runs after the auto proxy creator and
 * appends, so it is inside the transaction whatever the order of {@code @EnableTransactionManagement}.
 */
final class PublishPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private static final long serialVersionUID = 1L;

    private transient @Nullable Runnable check;

    @Override
    public void setBeanFactory(BeanFactory factory) {
        super.setBeanFactory(factory);
        PublishRules rules = new PublishRules((ConfigurableListableBeanFactory) factory);
        this.check = () -> rules.requireQueues(new QueueFinder(factory));
        this.advisor = new DefaultPointcutAdvisor(rules, new PublishInterceptor(rules, factory));
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (check != null) {
            check.run();
        }
    }
}
