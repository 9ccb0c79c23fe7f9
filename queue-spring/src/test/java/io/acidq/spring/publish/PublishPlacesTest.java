package io.acidq.spring.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.spring.Publish;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionalProxy;

/** The places at which {@link Publish} can be used. */
class PublishPlacesTest {

    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Publish(queue = "composed")
    @interface Composed {

        @AliasFor(annotation = Publish.class, attribute = "key")
        String by() default "";
    }

    interface Naming<T> {
        @Publish(queue = "generic", key = "#p0")
        String name(T of);
    }

    static class LongNaming implements Naming<Long> {
        @Override
        public String name(Long of) {
            return "n" + of;
        }
    }

    static class OverridingNaming extends LongNaming {
        @Override
        @Publish(queue = "class")
        public String name(Long of) {
            return "o" + of;
        }
    }

    @Publish(queue = "type", key = "#p0")
    interface Greeting {
        String greet(String who);

        void forget(String who);
    }

    static class Greeter implements Greeting {
        @Override
        public String greet(String who) {
            return "hello " + who;
        }

        @Override
        public void forget(String who) {}

        public String ofTheClass(String who) {
            return who;
        }
    }

    @Composed(by = "#root.methodName")
    static class Whole {
        public String one() {
            return "1";
        }

        @Publish(queue = "own")
        public String two() {
            return "2";
        }

        public void none() {}

        String notPublic() {
            return "3";
        }
    }

    private final FakeStore store = new FakeStore();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void findsTheAnnotationOfAGenericInterfaceBehindAnInterfaceProxy() {
        Naming<Long> naming = start(LongNaming.class, Naming.class, false);
        assertThat(AopUtils.isJdkDynamicProxy(naming)).isTrue();

        naming.name(7L);

        assertThat(store.queues()).containsExactly("generic");
        assertThat(store.keys()).containsExactly("7");
    }

    @Test
    void findsTheAnnotationOfAGenericInterfaceBehindAClassProxy() {
        Naming<Long> naming = start(LongNaming.class, Naming.class, true);
        assertThat(AopUtils.isCglibProxy(naming)).isTrue();

        naming.name(7L);

        assertThat(store.keys()).containsExactly("7");
    }

    @Test
    void prefersTheAnnotationOfTheClass() {
        start(OverridingNaming.class, Naming.class, false).name(7L);

        assertThat(store.queues()).containsExactly("class");
    }

    @Test
    void appliesTheAnnotationOfAnInterfaceToItsMethodsOnly() {
        Greeter greeter = start(Greeter.class, Greeter.class, true);
        greeter.greet("ann");
        greeter.forget("ann");
        greeter.ofTheClass("ann");

        assertThat(store.payloads()).containsExactly("hello ann");
        assertThat(store.keys()).containsExactly("ann");
    }

    @Test
    void appliesTheAnnotationOfAClassToItsPublicMethodsThatReturnAValue() {
        Whole whole = start(Whole.class, Whole.class, true);
        whole.one();
        whole.two();
        whole.none();
        whole.notPublic();

        assertThat(store.queues()).containsExactly("composed", "own");
        assertThat(store.keys()).containsExactly("one", null);
    }

    /** Such as a mapper of MyBatis, whose class is generated at run time and has only final methods. */
    @Test
    @SuppressWarnings("unchecked")
    void findsTheAnnotationOnTheInterfaceOfAProxy() {
        context.registerBean(Function.class, () -> (Function<Long, String>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Mapper.class},
                (proxy, method, args) -> method.getName().equals("apply") ? "m" + args[0] : null));
        store.refresh(context);

        context.getBean(Function.class).apply(7L);

        assertThat(store.payloads()).containsExactly("m7");
    }

    interface Mapper extends Function<Long, String> {
        @Override
        @Publish(queue = "mapped")
        String apply(Long id);
    }

    interface Orders {
        @Transactional
        @Publish(queue = "q", payload = "#p0")
        String save(String order);
    }

    static class AnyRepository {
        public String save(String order) {
            return order;
        }
    }

    /** As Spring Data does: its proxy of the interface begins the transactions itself, and {@code @EnableTransactionManagement} ignores it. */
    @Test
    void refusesARepositoryWhoseProxyBeginsTheTransactionInside() {
        context.registerBean("orders", Object.class, () -> {
            ProxyFactory repository = new ProxyFactory(new AnyRepository());
            repository.setInterfaces(Orders.class, TransactionalProxy.class);
            return repository.getProxy();
        });

        assertThatThrownBy(() -> store.refresh(context))
                .hasRootCauseInstanceOf(QueueMisuseException.class)
                .rootCause()
                .hasMessageContainingAll(
                        "@Publish on " + Orders.class.getName() + ".save(String)",
                        "is on a repository",
                        "service method");
    }

    private <B> B start(Class<? extends B> bean, Class<B> type, boolean proxyOfClass) {
        RootBeanDefinition definition = new RootBeanDefinition(bean);
        definition.setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, proxyOfClass);
        context.registerBeanDefinition("bean", definition);
        store.refresh(context);
        return context.getBean(type);
    }
}
