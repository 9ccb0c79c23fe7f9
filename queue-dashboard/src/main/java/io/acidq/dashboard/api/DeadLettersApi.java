package io.acidq.dashboard.api;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.Views;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Parameters;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters: their list, their replay and their discard. An act without {@code "dryRun": false} only says what it would do, and up to which time it looked: the
 * act itself repeats that time and the number, so that it never changes more than the user has seen.
 */
final class DeadLettersApi {

    private static final int PAGE = 50; // a list reads payloads too
    private static final int MOST_IDS = 200;
    private static final int MAX_LIMIT = 1_000;
    private static final int MAX_RATE = 10_000;
    private static final int MAX_SECONDS = 20;

    private final Fields fields;

    DeadLettersApi(Fields fields) {
        this.fields = fields;
    }

    List<Route> routes() {
        String[] act = {
            "queue",
            "ids",
            "cause",
            "type",
            "key",
            "orderingKey",
            "since",
            "until",
            "limit",
            "rate",
            "reason",
            "dryRun",
            "matched"
        };
        return List.of(
                Route.get(
                        Api.V1 + "dead",
                        Permission.VIEW,
                        Scope.QUEUE,
                        this::list,
                        "queue",
                        "cause",
                        "since",
                        "until",
                        "limit",
                        "after"),
                Route.post(
                        Api.V1 + "dead/replay",
                        Permission.OPERATE,
                        Scope.QUEUE,
                        call -> act(call, DeadLetters::replay),
                        act),
                Route.post(
                        Api.V1 + "dead/discard",
                        Permission.DESTROY,
                        Scope.QUEUE,
                        call -> act(call, DeadLetters::discard),
                        act));
    }

    /** The list, oldest first. Its filters are those that an index answers. */
    private Answer list(Call call) {
        String queue = Api.existingQueue(call);
        Parameters parameters = call.parameters();
        int limit = parameters.number("limit", PAGE, 1, PAGE);
        DeadLetterFilter filter = filter(queue, parameters, parameters.time("until"));
        String after = parameters.optional("after");
        DeadLetterPage page = DeadLetterPage.first(limit);
        if (after != null) {
            Cursor cursor = Cursor.parse(after, filter.toString());
            page = new DeadLetterPage(limit, cursor.at(), cursor.uid());
        }
        DeadLetterPage wanted = page;
        List<DeadLetter> letters =
                call.database().call(engine -> engine.deadLetters().list(filter, wanted));
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "deadLetters",
                letters.stream().map(letter -> fields.deadLetter(call, letter)).toList());
        if (letters.size() == limit) {
            DeadLetter last = letters.get(limit - 1);
            answer.put("after", new Cursor(last.diedAt(), last.id().uid()).toText(filter.toString()));
        }
        answer.put("complete", letters.size() < limit);
        return Answer.json(answer);
    }

    private static DeadLetterFilter filter(String queue, Parameters parameters, @Nullable Instant until) {
        return parameters.checked(() -> new DeadLetterFilter(
                queue,
                null,
                parameters.optional("cause"),
                parameters.optional("type"),
                parameters.optional("key"),
                parameters.optional("orderingKey"),
                parameters.time("since"),
                until));
    }

    private Answer act(Call call, Act act) {
        String queue = Api.existingQueue(call);
        Parameters parameters = call.parameters();
        boolean dryRun = parameters.flag("dryRun", true);
        BulkAction action = action(call);
        List<MessageId> ids = parameters.messageIds("ids", MOST_IDS);
        if (!ids.isEmpty()) {
            return Answer.json(result(queue, each(call, act, queue, ids, dryRun ? action.asDryRun() : action)));
        }
        if ((parameters.has("key") || parameters.has("orderingKey")) && !call.may(Permission.CONTENT, queue)) {
            throw RequestException.forbidden("user '" + call.user().name()
                    + "' lacks the permission CONTENT for queue '" + queue + "', which a filter by a key needs");
        }
        Instant until = parameters.time("until");
        if (until == null) {
            if (!dryRun) {
                throw RequestException.invalid(
                        "the parameter 'until' is missing: take it, and 'matched', from the answer of the dry run");
            }
            until = call.database().now();
        }
        DeadLetterFilter filter = filter(queue, parameters, until);
        long seen = dryRun ? 0 : parameters.count("matched");
        BulkResult result = run(call, act, filter, action.asDryRun());
        if (!dryRun) {
            if (result.matched() > seen) {
                throw RequestException.conflict(result.matched() + " dead letters match now, and " + seen
                        + " did in the dry run: make another one");
            }
            result = run(call, act, filter, action);
        }
        Map<String, Object> answer = result(queue, result);
        answer.put("until", until.toString());
        return Answer.json(answer);
    }

    /** The act of a request, which is over when it is answered; a longer one is for the command line. */
    private static BulkAction action(Call call) {
        Parameters parameters = call.parameters();
        int limit = parameters.number("limit", MAX_LIMIT, 1, MAX_LIMIT);
        int rate = parameters.number("rate", 0, 0, MAX_RATE);
        if (rate > 0 && limit > rate * MAX_SECONDS) {
            throw RequestException.invalid(limit + " dead letters at " + rate + " a second take longer than "
                    + MAX_SECONDS + " seconds: lower 'limit' to " + rate * MAX_SECONDS + ", or use acidq dead");
        }
        BulkAction action = BulkAction.by(call.operator()).withLimit(limit);
        return rate == 0 ? action : action.withPerSecond(rate);
    }

    private static BulkResult each(Call call, Act act, String queue, List<MessageId> ids, BulkAction action) {
        for (String name : List.of("cause", "type", "key", "orderingKey", "since", "until", "matched")) {
            if (call.parameters().has(name)) {
                throw RequestException.invalid(
                        "'ids' and '" + name + "' are both given: act on ids, or on what a filter selects");
            }
        }
        long matched = 0;
        int changed = 0;
        int lost = 0;
        int keyTaken = 0;
        for (MessageId id : ids) {
            call.parameters().checked(() -> {
                InputChecks.require(id.queue().equals(queue), "message " + id + " is not of queue '" + queue + "'");
                return id;
            });
        }
        for (MessageId id : ids) {
            BulkResult one = run(call, act, DeadLetterFilter.of(id), action);
            matched += one.matched();
            changed += one.changed();
            lost += one.lost();
            keyTaken += one.keyTaken();
        }
        return new BulkResult(action.dryRun(), matched, changed, lost, keyTaken);
    }

    private static BulkResult run(Call call, Act act, DeadLetterFilter filter, BulkAction action) {
        return call.database().call(engine -> act.run(engine.deadLetters(), filter, action));
    }

    private Map<String, Object> result(String queue, BulkResult result) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("queue", queue);
        answer.putAll(Views.bulkResult(result));
        return answer;
    }

    private interface Act {
        BulkResult run(DeadLetters deadLetters, DeadLetterFilter filter, BulkAction action);
    }
}
