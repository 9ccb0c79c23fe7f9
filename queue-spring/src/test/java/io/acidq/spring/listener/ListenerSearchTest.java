package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueListener;
import io.acidq.spring.config.TestEngines;
import io.acidq.spring.listener.ListenerFactory.DeclaredListener;
import io.acidq.spring.listener.ListenerTest.Arrived;
import io.acidq.spring.listener.ListenerTest.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.beans.factory.support.ManagedList;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

/** Beans whose definitions do not tell their class. Their listeners were missing without a word. */
class ListenerSearchTest {

    interface Ships {}

    abstract static class Abstract implements Ships {}

    static class Shipping extends Abstract {

        final List<Order> shipped = new ArrayList<>();

        @QueueListener(queue = "q")
        public void ship(Order order) {
            shipped.add(order);
        }
    }

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAnInterface {
        @Bean
        @Lazy
        Ships shipping() {
            return new Shipping();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAnAbstractClass {
        @Bean
        @Lazy
        Abstract shipping() {
            return new Shipping();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfObject {
        @Bean
        @Lazy
        Object shipping() {
            return new Shipping();
        }
    }

    static class ShippingFactory implements FactoryBean<Ships> {
        @Override
        public Ships getObject() {
            return new Shipping();
        }

        @Override
        public Class<?> getObjectType() {
            return Ships.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAFactory {
        @Bean
        ShippingFactory shipping() {
            return new ShippingFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAFactoryWithoutType {
        @Bean
        ShippingFactory shipping() {
            return new ShippingFactory() {
                @Override
                public Class<?> getObjectType() {
                    return null;
                }
            };
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfAnInterface.class,
                OfAnAbstractClass.class,
                OfObject.class,
                OfAFactory.class,
                OfAFactoryWithoutType.class
            })
    void findsTheListenerOfABeanWhoseDefinitionDoesNotTellItsClass(Class<?> configuration) throws Exception {
        context.register(configuration);
        context.refresh();

        deliver(factory());

        assertThat(((Shipping) context.getBean("shipping")).shipped).containsExactly(new Order(1));
    }

    @Test
    void findsTheListenerOfALazyBeanWithASupplier() throws Exception {
        context.registerBean("shipping", Ships.class, Shipping::new, definition -> definition.setLazyInit(true));
        context.refresh();

        deliver(factory());

        assertThat(((Shipping) context.getBean("shipping")).shipped).containsExactly(new Order(1));
    }

    static class ListeningFactory implements FactoryBean<String> {

        @QueueListener(queue = "q")
        public void ship(Order order) {}

        @Override
        public String getObject() {
            return "x";
        }

        @Override
        public Class<?> getObjectType() {
            return String.class;
        }
    }

    @Test
    void findsTheListenerOfAFactoryBeanItself() throws Exception {
        context.registerBean(ListeningFactory.class);
        context.refresh();

        deliver(factory());
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {
        @Bean
        @Lazy
        Ships shipping() {
            throw new IllegalStateException("not here");
        }
    }

    @Test
    void startsInSpiteOfALazyBeanThatCannotBeCreated() {
        context.register(Failing.class);
        context.refresh();

        assertThat(factory().declared()).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototypes {
        @Bean
        @Scope(BeanDefinition.SCOPE_PROTOTYPE)
        Ships ofAnInterface() {
            return new Shipping();
        }

        @Bean
        @Scope(BeanDefinition.SCOPE_PROTOTYPE)
        Shipping ofItsClass() {
            return new Shipping();
        }
    }

    @Test
    void failsTheCreationOfABeanWhoseListenerWasNotFound() {
        context.register(Prototypes.class);
        context.refresh();
        assertThat(factory().declared()).hasSize(1);

        assertThat(context.getBean("ofItsClass")).isNotNull();
        assertThatThrownBy(() -> context.getBean("ofAnInterface"))
                .rootCause()
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(
                        "Shipping.ship(Order) of bean 'ofAnInterface' was found too late",
                        "declare " + Shipping.class.getName() + " as the type");
    }

    @Test
    void failsTheCreationOfABeanThatIsRegisteredAfterTheStart() {
        context.refresh();
        factory().declared();
        context.registerBean("late", Shipping.class);

        assertThatThrownBy(() -> context.getBean("late"))
                .rootCause()
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("Shipping.ship(Order) of bean 'late' was found too late");
    }

    /** As with a bean element inside a property element of XML. */
    @Test
    void failsTheStartForAListenerInAnInnerBean() {
        GenericBeanDefinition outer = new GenericBeanDefinition();
        outer.setBeanClass(ArrayList.class);
        outer.getConstructorArgumentValues()
                .addGenericArgumentValue(
                        ManagedList.of(new BeanDefinitionHolder(new RootBeanDefinition(Shipping.class), "inner")));
        context.registerBeanDefinition("outer", outer);
        context.refresh();

        assertThatThrownBy(() -> factory().declared())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(
                        "Shipping.ship(Order) is in an inner bean of 'outer'", "define it as a bean of its own");
    }

    /** As a bean does that enqueues while it is created: the engine is built before the others exist. */
    @Test
    void failsTheStartIfTheSearchCameBeforeABeanOfUnknownClass() {
        context.registerBean("early", Object.class, () -> {
            factory().declared();
            return new Object();
        });
        context.register(OfAnInterface.class);
        context.registerBean("eager", Ships.class, Shipping::new);

        assertThatThrownBy(context::refresh)
                .rootCause()
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("of bean 'eager' was found too late");
    }

    @Test
    void findsListenersOfAParentContextThatHasNoEngines() throws Exception {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(OfAnInterface.class)) {
            context.registerBean("shipping", String.class, () -> "another bean of that name");
            context.setParent(parent);
            context.refresh();

            deliver(factory());

            assertThat(((Shipping) parent.getBean("shipping")).shipped).containsExactly(new Order(1));
        }
    }

    @Test
    void leavesTheListenersOfAParentContextToItsOwnEngines() {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
            parent.registerBean(Shipping.class);
            parent.registerBean(ListenerFactory.class, () -> factory(parent));
            parent.refresh();
            context.setParent(parent);
            context.refresh();

            assertThat(factory().declared()).isEmpty();
        }
    }

    @Test
    void refusesListenersInAChildContextWithoutEngines() {
        try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            context.registerBean(Shipping.class);
            context.refresh();
            child.registerBean("inTheChild", Shipping.class);
            child.setParent(context);
            child.refresh();
            ListenerFactory factory = factory();

            assertThatThrownBy(() -> factory.refuseListenersOf(child))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll("of bean 'inTheChild'", "never be called");
            factory.refuseListenersOf(context);
        }
    }

    private ListenerFactory factory() {
        return factory(context);
    }

    private static ListenerFactory factory(AnnotationConfigApplicationContext context) {
        return new ListenerFactory(context.getBeanFactory(), TestEngines.of(context.getBeanFactory()));
    }

    private static void deliver(ListenerFactory factory) throws Exception {
        List<DeclaredListener> declared = factory.declared();
        assertThat(declared).hasSize(1);
        StartedListeners.untyped(declared.get(0).listener()).handler().handle(new Order(1), Arrived.with(Map.of()));
    }
}
