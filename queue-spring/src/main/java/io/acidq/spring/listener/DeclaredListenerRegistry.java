package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.admin.ListenerControl;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.QueueListenerRegistry;
import io.acidq.spring.listener.ListenerFactory.DeclaredListener;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The registry of the listeners of a context.
 *
 * @param engines  the engines that run them
 * @param declared returns the listeners, in their order
 */
record DeclaredListenerRegistry(QueueEngines engines, Supplier<List<DeclaredListener>> declared)
        implements QueueListenerRegistry {

    @Override
    public Set<String> ids() {
        Set<String> ids = new LinkedHashSet<>();
        declared.get().forEach(each -> ids.add(each.id()));
        return ids;
    }

    @Override
    public List<String> queues(String id) {
        return of(id).stream().map(DeclaredListener::queue).toList();
    }

    @Override
    public ListenerControl listener(String id) {
        return engines.engine(of(id).get(0).engine()).listeners(queues(id));
    }

    private List<DeclaredListener> of(String id) {
        List<DeclaredListener> found =
                declared.get().stream().filter(each -> each.id().equals(id)).toList();
        if (found.isEmpty()) {
            throw new QueueMisuseException("there is no listener with the id '" + id + "' (there are: "
                    + String.join(", ", ids()) + "): give its @QueueListener that id, or use one of these");
        }
        return found;
    }
}
