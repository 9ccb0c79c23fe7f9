package io.acidq.dashboard.api;

import io.acidq.InputChecks;
import io.acidq.admin.Operator;
import io.acidq.admin.Subscriptions.Remaining;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.admin.Views;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The subscriptions of topics. */
final class TopicsApi {

    List<Route> routes() {
        return List.of(
                Route.get(Api.V1 + "topics", Permission.VIEW, Scope.ENGINE, this::list, "topic"),
                Route.post(
                        Api.V1 + "topics/unsubscribe",
                        Permission.DESTROY,
                        Scope.SUBSCRIPTION,
                        this::unsubscribe,
                        "topic",
                        "subscription",
                        "remaining",
                        "reason"));
    }

    private Answer list(Call call) {
        String topic = call.parameters().optional("topic");
        if (topic != null) {
            call.parameters().checked(() -> InputChecks.checkTopic(topic));
        }
        List<Subscription> found = call.database()
                .call(engine -> topic == null
                        ? engine.subscriptions().list()
                        : engine.subscriptions().list(topic));
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "subscriptions",
                found.stream()
                        .filter(each -> call.sees(each.queue()))
                        .map(Views::subscription)
                        .toList());
        answer.put("complete", true);
        return Answer.json(answer);
    }

    private Answer unsubscribe(Call call) {
        String topic = call.parameters().text("topic");
        String subscription = call.parameters().text("subscription");
        Operator operator = call.operator();
        Remaining remaining = call.parameters().choice("remaining", Remaining.class);
        if (remaining == null) {
            throw RequestException.invalid(
                    "the parameter 'remaining' is missing: say KEEP, DRAIN or DISCARD for the messages that are left");
        }
        String queue = InputChecks.subscriptionQueue(topic, subscription);
        if (!call.database().exists(queue)) {
            throw RequestException.notFound("topic '" + topic + "' has no subscription '" + subscription + "'");
        }
        boolean changed = call.database()
                .call(engine -> engine.subscriptions().unsubscribe(topic, subscription, remaining, operator));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("topic", topic);
        answer.put("subscription", subscription);
        answer.put("changed", changed);
        return Answer.json(answer);
    }
}
