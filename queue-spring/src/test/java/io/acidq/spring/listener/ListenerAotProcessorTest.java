package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.spring.EnableAcidQ;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.QueueListener;
import io.acidq.spring.listener.ListenerTest.Order;
import io.acidq.spring.publish.FakeStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.messaging.Message;

class ListenerAotProcessorTest {

    record Parcel(Order order) {}

    record Unused(long id) {}

    static class Shipping {
        @QueueListener(queue = "a")
        void ship(Order order) {}

        @QueueListener(queue = "b", batch = "true")
        void all(List<Message<Parcel>> parcels) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAcidQ
    static class Application {

        @Bean
        static Shipping shipping() {
            return new Shipping();
        }

        @Bean
        static QueueEngine billing() {
            return QueueEngine.over(new FakeStore().store());
        }
    }

    private final RuntimeHints hints = ahead();

    @Test
    void registersThePayloadsOfListenersInEveryForm() {
        assertThat(RuntimeHintsPredicates.reflection().onType(Order.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Parcel.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Unused.class)).rejects(hints);
    }

    @Test
    void registersTheMethodsAndTheAnnotations() throws Exception {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Shipping.class.getDeclaredMethod("ship", Order.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(QueueListener.class))
                .accepts(hints);
    }

    private static RuntimeHints ahead() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(Application.class);
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("io.acidq.spring", "Generated")), new InMemoryGeneratedFiles());
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        generation.writeGeneratedContent();
        return generation.getRuntimeHints();
    }
}
