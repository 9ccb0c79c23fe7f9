package io.acidq.spring;

import io.acidq.spring.config.AcidqImportSelector;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Enables AcidQ's annotations and registers an engine in a Spring application without Spring Boot. The Spring Boot starter does the same
 * without this annotation.
 *
 * <pre>{@code
 * @Configuration
 * @EnableTransactionManagement
 * @EnableAcidQ
 * class QueueConfiguration {
 *
 *     @Bean
 *     Store store(DataSource dataSource, PlatformTransactionManager manager) {
 *         return MyBatisStore.over(dataSource, new SpringTransactions(manager, dataSource));
 *     }
 * }
 * }</pre>
 *
 * <p>The annotations are {@link Publish}, {@link PublishedTo}, {@link QueueName} and {@link QueueListener}. The registered beans are the {@link
 * io.acidq.engine.Engine}, which starts and stops with the application context, and its {@link io.acidq.MessageQueue}, {@link
 * io.acidq.Inbox}, {@link io.acidq.admin.DeadLetters}, {@link io.acidq.admin.BlockedKeys}, {@link io.acidq.admin.QueueControl}, {@link
 * io.acidq.admin.AuditLog}, {@link QueueListenerRegistry} and {@link QueueEngines}. A bean of the application takes precedence over a
 * registered bean of the same type.
 *
 * <p>One bean is required: the {@link io.acidq.store.Store}, over the application's {@code DataSource} and a {@link
 * io.acidq.spring.transaction.SpringTransactions}. These beans are used if they exist: a {@link io.acidq.codec.Codec}, an {@link
 * io.acidq.config.EngineConfig}, and any number of {@link io.acidq.telemetry.Telemetry}, {@link io.acidq.Interceptor}, {@link
 * ListenerCustomizer} and {@link EngineCustomizer}. The tables must exist before the context starts.
 *
 * <p>On the main class of a Spring Boot application the annotation has no effect in test slices such as {@code @WebMvcTest}: annotated methods run
 * there and publish nothing.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(AcidqImportSelector.class)
public @interface EnableAcidQ {}
