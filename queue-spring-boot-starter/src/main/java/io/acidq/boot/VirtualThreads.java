package io.acidq.boot;

import io.acidq.spring.WorkerThreads;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/** Workers on virtual threads, with {@code spring.threads.virtual.enabled} on Java 21 and later, as everywhere in Boot. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnThreading(Threading.VIRTUAL)
class VirtualThreads {

    @Bean
    @ConditionalOnMissingBean
    WorkerThreads acidqWorkerThreads(EnginePools pools) {
        return new WorkerThreads(
                new VirtualThreadTaskExecutor().getVirtualThreadFactory(),
                pools.main().orElse(null));
    }
}
