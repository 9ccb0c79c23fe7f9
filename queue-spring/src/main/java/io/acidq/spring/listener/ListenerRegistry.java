package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.admin.ListenerControl;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.QueueListenerRegistry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The listeners of all engines, by id. Not API: applications see the interface.
 *
 * @param listeners the declared listeners
 * @param engines   the engines that run them
 */
public record ListenerRegistry(ListenerFactory listeners, QueueEngines engines) implements QueueListenerRegistry {

    @Override
    public Set<String> ids() {
        Set<String> ids = new LinkedHashSet<>();
        listeners.declared().forEach(declared -> ids.add(declared.id()));
        return ids;
    }

    @Override
    public List<String> queues(String id) {
        return of(id).stream().map(DeclaredListener::queue).toList();
    }

    @Override
    public ListenerControl listener(String id) {
        List<DeclaredListener> chosen = of(id);
        return engines.engine(chosen.get(0).engine())
                .listeners(chosen.stream().map(DeclaredListener::queue).toList());
    }

    private List<DeclaredListener> of(String id) {
        List<DeclaredListener> chosen = listeners.declared().stream()
                .filter(declared -> declared.id().equals(id))
                .toList();
        if (chosen.isEmpty()) {
            throw new QueueMisuseException("there is no listener with the id '" + id + "' (there are: "
                    + String.join(", ", ids()) + "): give its @QueueListener that id, or use one of these");
        }
        return chosen;
    }
}
