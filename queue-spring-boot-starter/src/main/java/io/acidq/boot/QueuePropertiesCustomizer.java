package io.acidq.boot;

import io.acidq.config.Listener;
import io.acidq.spring.ListenerCustomizer;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Overrides the attributes of listeners by {@code acidq.queues.*}. Logs a warning about settings that no listener has used. */
final class QueuePropertiesCustomizer implements ListenerCustomizer, ApplicationListener<ContextRefreshedEvent> {

    private static final Logger log = LoggerFactory.getLogger(QueuePropertiesCustomizer.class);

    private final AcidqProperties properties;
    private final Set<String> served = new ConcurrentSkipListSet<>();

    QueuePropertiesCustomizer(AcidqProperties properties) {
        this.properties = properties;
    }

    @Override
    public <T> Listener<T> customize(Listener<T> listener) {
        String queue = listener.queue();
        properties.checkKnown(queue, "a @QueueListener");
        served.add(queue);
        Listener<T> filled = AcidqProperties.named(
                "acidq.queue-defaults (for queue '" + queue + "')",
                () -> properties.queueDefaults().fill(listener));
        QueueProperties own = properties.queues().get(queue);
        return own == null ? filled : AcidqProperties.named(AcidqProperties.section(queue), () -> own.applyTo(filled));
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        Set<String> idle = new TreeSet<>();
        properties.queues().forEach((queue, settings) -> {
            if (settings.isForListeners()) {
                idle.add(queue);
            }
        });
        idle.removeAll(served);
        if (!idle.isEmpty()) {
            log.warn(
                    "acidq.queues has settings for {}, which no listener serves here (served: {}); a name with dots goes in brackets:"
                            + " acidq.queues[order.placed].concurrency",
                    idle,
                    served);
        }
    }
}
