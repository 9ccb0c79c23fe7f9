package io.acidq.dashboard.route;

import io.acidq.InputChecks;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.dashboard.read.Database;
import java.util.List;

/**
 * Which queues a request is about. The permission of the route is checked for each of them before the handler is called, so that a handler cannot forget it. The
 * lists of a route with {@link #ENGINE} have the queues that the user may see, see {@link Call#may}.
 */
@FunctionalInterface
public interface Scope {

    /** A request about no queue, or about all that the user may see. */
    Scope ENGINE = (parameters, database) -> List.of();

    /** The queue of the parameter {@code queue}. */
    Scope QUEUE = (parameters, database) -> List.of(parameters.queue());

    /** The queue of the parameter {@code queue} if it is given. */
    Scope QUEUE_IF_GIVEN = (parameters, database) -> parameters.has("queue") ? List.of(parameters.queue()) : List.of();

    /** The queue of the message {@code id}. */
    Scope MESSAGE = (parameters, database) -> List.of(parameters.messageId("id").queue());

    /** The queue of the message {@code id} if it is given, or else that of the parameter {@code queue}. */
    Scope MESSAGE_OR_QUEUE_IF_GIVEN = (parameters, database) -> parameters.has("id")
            ? List.of(parameters.messageId("id").queue())
            : QUEUE_IF_GIVEN.queues(parameters, database);

    /** The queue of the subscription {@code subscription} of the topic {@code topic}. */
    Scope SUBSCRIPTION = (parameters, database) -> List.of(parameters.checked(
            () -> InputChecks.subscriptionQueue(parameters.text("topic"), parameters.text("subscription"))));

    /** The queue that the recurring message {@code name} enqueues to, or those of all subscriptions of its topic. */
    Scope RECURRING = (parameters, database) -> {
        String name = parameters.text("name");
        return database.call(engine -> engine.recurring()
                .find(name)
                .map(found -> found.topic()
                        ? engine.subscriptions().list(found.destination()).stream()
                                .map(Subscription::queue)
                                .toList()
                        : List.of(found.destination()))
                .orElseThrow(() -> RequestException.notFound("there is no recurring message '" + name + "'")));
    };

    /** Returns the queues. */
    List<String> queues(Parameters parameters, Database database);
}
