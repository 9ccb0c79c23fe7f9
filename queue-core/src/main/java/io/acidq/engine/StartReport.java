package io.acidq.engine;

import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.enqueue.QueueRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines that an engine logs when it has started: where it runs, what it listens to, and what is off. */
final class StartReport {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");

    private final EngineDefinition definition;
    private final QueueRegistry queues;
    private final String server;

    /** Reads the version of the server, before the engine's threads use the connections of the pool. */
    StartReport(EngineDefinition definition, QueueRegistry queues) {
        this.definition = definition;
        this.queues = queues;
        this.server = server();
    }

    private String server() {
        try {
            return definition.store().server().session().server();
        } catch (RuntimeException e) { // a report never fails a start
            log.debug("the version of the server cannot be read", e);
            return "an unknown server";
        }
    }

    void log() {
        List<Listener<?>> listeners = definition.listeners();
        String strategies = listeners.stream()
                .map(listener -> queues.claimStrategy(listener.queue()).toString())
                .distinct()
                .collect(Collectors.joining(", "));
        log.info(
                "AcidQ {} runs on {}{}",
                EngineRuntime.version(),
                server,
                listeners.isEmpty() ? "" : ", claim strategy " + strategies);
        log.info("listeners: {}", listeners.isEmpty() ? "none" : describe(listeners));
        String off = off();
        if (!off.isEmpty()) {
            log.info("features that are switched off: {}", off);
        }
    }

    private String describe(List<Listener<?>> listeners) {
        return listeners.stream()
                .map(listener -> listener.queue() + " ("
                        + (definition.startedLater().contains(listener.queue()) ? "not started, " : "")
                        + listener.concurrency() + " workers)")
                .collect(Collectors.joining(", "));
    }

    private String off() {
        EngineConfig config = definition.config();
        Map<String, Predicate<Listener<?>>> features = new LinkedHashMap<>();
        features.put("backlog alarms", l -> config.queue(l.queue()).alarm().isSet());
        features.put("handler timeouts", l -> l.options().timeout() != null);
        features.put("removal of dead letters", l -> config.deadLetterRetention(l.queue()) != null);
        features.put("archive", l -> config.queue(l.queue()).retention().archive() != null);
        features.put("direct handoff", l -> config.queue(l.queue()).directHandoff());
        Stream<String> ofQueues = features.entrySet().stream()
                .map(feature -> withoutIt(feature.getKey(), feature.getValue(), definition.listeners()))
                .filter(text -> !text.isEmpty());
        return Stream.concat(definition.hasTelemetry() ? Stream.empty() : Stream.of("metrics"), ofQueues)
                .collect(Collectors.joining("; "));
    }

    /** Returns the name of the feature, with the queues that do not have it if others have it; empty if all have it. */
    private static String withoutIt(String feature, Predicate<Listener<?>> isOn, List<Listener<?>> listeners) {
        List<String> without =
                listeners.stream().filter(isOn.negate()).map(Listener::queue).toList();
        if (without.isEmpty()) {
            return "";
        }
        return without.size() == listeners.size() ? feature : feature + " of " + String.join(", ", without);
    }
}
