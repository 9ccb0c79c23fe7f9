package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.admin.ListenerControl;
import io.acidq.spring.QueueListenerRegistry;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code acidqlisteners}, with the listeners of this process by id. Its actions affect this process only and are not recorded; {@link
 * AcidqEndpoint} pauses a queue on all nodes. The endpoints are separate because a listener and a queue can have the same name.
 */
@Endpoint(id = "acidqlisteners")
final class AcidqListenersEndpoint {

    private final QueueListenerRegistry listeners;

    AcidqListenersEndpoint(QueueListenerRegistry listeners) {
        this.listeners = listeners;
    }

    /**
     * A listener.
     *
     * @param queues  its queues
     * @param running whether it runs in this process
     * @param paused  whether it is paused in this process
     */
    record RegisteredListener(String id, List<String> queues, boolean running, boolean paused) {}

    @ReadOperation
    public Map<String, List<RegisteredListener>> listeners() {
        return Map.of("listeners", listeners.ids().stream().map(this::view).toList());
    }

    /**
     * Acts on a listener. The parts of the path are named as in {@link AcidqEndpoint#act}.
     *
     * @param pathId     the id of the listener
     * @param pathAction pause, resume, stop or start; a stop waits for running handlers
     */
    @WriteOperation
    public WebEndpointResponse<Object> act(@Selector String pathId, @Selector String pathAction) {
        try {
            switch (pathAction) {
                case "pause" -> listeners.pause(pathId);
                case "resume" -> listeners.resume(pathId);
                case "stop" -> listeners.stop(pathId);
                case "start" -> listeners.start(pathId);
                default ->
                    throw new QueueMisuseException(
                            "there is no action '" + pathAction + "': use pause, resume, stop or start");
            }
            return new WebEndpointResponse<>(view(pathId));
        } catch (QueueMisuseException e) {
            return new WebEndpointResponse<>(
                    Map.of("error", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private RegisteredListener view(String id) {
        ListenerControl control = listeners.listener(id);
        return new RegisteredListener(id, listeners.queues(id), control.isRunning(), control.isPaused());
    }
}
