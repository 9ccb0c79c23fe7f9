package io.acidq.spring;

import io.acidq.spring.config.AcidqConfiguration;
import io.acidq.spring.publish.PublishConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Switches {@link Publish}, {@link PublishedTo}, {@link QueueName} and {@link QueueListener} on and registers an engine, its {@link io.acidq.MessageQueue}, its {@link
 * io.acidq.admin.DeadLetters}, {@link io.acidq.admin.BlockedKeys} and {@link io.acidq.admin.AuditLog}; the engine starts and stops with the application context. Not needed with the Spring Boot starter.
 *
 * <p>One bean is required: the {@link io.acidq.store.Store}, made over the application's {@code DataSource} and a {@link
 * io.acidq.spring.transaction.SpringTransactions}. Used if there: a {@link io.acidq.codec.Codec}, an {@link io.acidq.config.EngineConfig}, any number of {@link
 * io.acidq.telemetry.Telemetry} and {@link ListenerCustomizer}. An engine, queue or dead letters bean of the application's own goes before
 * the ones registered here. The schema must be there before the context starts.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import({AcidqConfiguration.class, PublishConfiguration.class})
public @interface EnableAcidQ {}
