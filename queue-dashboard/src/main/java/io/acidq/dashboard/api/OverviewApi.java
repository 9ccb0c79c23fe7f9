package io.acidq.dashboard.api;

import io.acidq.Plural;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.Backlog;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.Nodes;
import io.acidq.admin.Nodes.NodeState;
import io.acidq.admin.Nodes.QueueWork;
import io.acidq.admin.Nodes.RunningMessage;
import io.acidq.admin.Views;
import io.acidq.dashboard.access.AccessPolicy;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.read.Database;
import io.acidq.dashboard.read.Database.DoctorRun;
import io.acidq.dashboard.read.Database.State;
import io.acidq.dashboard.read.Database.Status;
import io.acidq.dashboard.read.RecentHistory.QueueRates;
import io.acidq.dashboard.read.RecentHistory.Recent;
import io.acidq.dashboard.read.Sampler.NodeSample;
import io.acidq.dashboard.read.Sampler.QueueSample;
import io.acidq.dashboard.read.Sampler.Sample;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import io.acidq.doctor.Report.Finding;
import io.acidq.doctor.Report.Finding.Level;
import io.acidq.resilience.GuardState;
import io.acidq.telemetry.QueueState;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The session of a user, the overview with what needs attention, and the nodes. */
final class OverviewApi {

    private static final Duration OLD = Duration.ofMinutes(5);
    private static final int MAX_ATTENTION = 20;
    private static final String NO_LISTENER = "NO_LISTENER";

    private final Collection<Database> databases;
    private final String environment;

    OverviewApi(Collection<Database> databases, String environment) {
        this.databases = databases;
        this.environment = environment;
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.V1 + "session", Permission.VIEW, Scope.ENGINE, this::session),
                Route.get(Api.V1 + "privileges", Permission.VIEW, Scope.ENGINE, this::privileges),
                Route.get(Api.V1 + "overview", Permission.VIEW, Scope.ENGINE, this::overview),
                Route.get(Api.V1 + "nodes", Permission.VIEW, Scope.ENGINE, this::nodes));
    }

    private Answer session(Call call) {
        Map<String, Object> user = new LinkedHashMap<>();
        user.put("name", call.user().name());
        user.put(
                "permissions",
                new TreeSet<>(call.user().permissions())
                        .stream().map(Permission::name).toList());
        Map<String, Object> answer = new LinkedHashMap<>();
        String version = OverviewApi.class.getPackage().getImplementationVersion();
        answer.put("version", version == null ? "development" : version);
        answer.put("user", user);
        call.csrf().forEach((header, token) -> answer.put("csrf", Map.of("header", header, "token", token)));
        answer.put("environment", environment);
        answer.put(
                "engines",
                databases.stream()
                        .filter(each -> call.policy().permits(call.user(), Permission.VIEW, each.name(), null))
                        .map(each -> engine(call, each))
                        .toList());
        return Answer.json(answer);
    }

    private static Map<String, Object> engine(Call call, Database database) {
        Map<String, Object> engine = new LinkedHashMap<>();
        engine.put("name", database.name());
        engine.putAll(state(call, database));
        database.server().ifPresent(server -> engine.put("server", server));
        return engine;
    }

    private static Map<String, Object> state(Call call, Database database) {
        Status status = database.status();
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("state", status.state().name());
        state.put("since", status.since().toString());
        if (!status.error().isEmpty() && call.may(Permission.CONTENT, null)) {
            state.put("error", status.error());
        }
        return state;
    }

    /** Answers which actions the privileges of the database account do not allow. It is the same for all users. */
    private Answer privileges(Call call) {
        Map<String, Object> missing = new TreeMap<>();
        call.database().missingPrivileges().forEach((action, lacking) -> missing.put(action.name(), lacking));
        return Answer.json(new LinkedHashMap<>(Map.of("missing", missing)));
    }

    /** Answers also while the database is away, with the last sample. */
    private Answer overview(Call call) {
        Database database = call.database();
        List<Attention> attention = new ArrayList<>();
        Sample sample = database.sampler().lastKnown();
        try {
            sample = database.sampler().sample();
        } catch (TransientQueueException e) {
            attention.add(new Attention(
                    Level.PROBLEM,
                    database.status().state() == State.DOWN ? "DATABASE_AWAY" : "DATABASE_BUSY",
                    database.status().state() == State.DOWN
                            ? "the database is away since " + database.status().since()
                            : "the database could not be read now",
                    null,
                    "doctor",
                    Duration.ZERO));
        } catch (QueueMisuseException e) {
            attention.add(new Attention(
                    Level.PROBLEM,
                    "TABLES",
                    "the tables are not those of this version; the doctor says how to fix it",
                    null,
                    "doctor",
                    Duration.ZERO));
        }
        if (sample != null) {
            sample.queues().values().stream()
                    .filter(each -> call.sees(each.info().name()))
                    .forEach(each -> examine(each, attention));
            deadLetters(call, sample, attention);
        }
        guards(call, attention);
        database.lastDoctorRun().ifPresent(doctorRun -> problems(call, doctorRun, attention));
        Map<String, Object> answer = Api.answer(call);
        if (sample != null) {
            answer.put("asOf", sample.asOf().toString());
        }
        answer.put("database", state(call, database));
        answer.put("totals", totals(call, sample));
        Instant ratesEnd =
                sample == null || database.status().state() == State.DOWN ? Instant.EPOCH : rates(call, sample, answer);
        answer.put("attention", shown(attention));
        answer.put("attentionMore", Math.max(0, attention.size() - MAX_ATTENTION));
        answer.put("nodes", Map.of("alive", livingNodes(call, sample).size()));
        return Answer.polled(
                answer,
                (sample == null ? 0 : sample.version()) + " " + ratesEnd + " " + database.status() + " "
                        + database.lastDoctorRun().map(DoctorRun::ranAt).orElse(null));
    }

    /** Adds the sums of the rates of the queues that the user may see. Returns the end of the minutes. */
    private static Instant rates(Call call, Sample sample, Map<String, Object> answer) {
        Recent recent = call.database().history().recent(sample.queues().keySet());
        if (recent.isKnown()) {
            long enqueued = 0;
            long done = 0;
            long retried = 0;
            long dead = 0;
            for (Map.Entry<String, QueueRates> each : recent.queues().entrySet()) {
                if (call.sees(each.getKey())) {
                    enqueued += each.getValue().enqueued();
                    done += each.getValue().done();
                    retried += each.getValue().retried();
                    dead += each.getValue().dead();
                }
            }
            Map<String, Object> rates = new LinkedHashMap<>();
            rates.put("enqueued", Fields.perMinute(enqueued));
            rates.put("done", Fields.perMinute(done));
            rates.put("retried", Fields.perMinute(retried));
            rates.put("dead", Fields.perMinute(dead));
            answer.put("rates", rates);
        }
        return recent.end();
    }

    private static Map<String, Object> totals(Call call, @Nullable Sample sample) {
        long ready = 0;
        long running = 0;
        long waiting = 0;
        long scheduled = 0;
        long dead = 0;
        boolean complete = sample != null && !sample.cut();
        for (QueueSample each :
                sample == null ? List.<QueueSample>of() : sample.queues().values()) {
            Backlog backlog = each.backlog();
            if (call.sees(each.info().name())) {
                complete &= backlog != null && backlog.isComplete();
                if (backlog != null) {
                    ready += backlog.ready();
                    running += backlog.running();
                    waiting += backlog.waiting();
                    scheduled += backlog.scheduled();
                    dead += backlog.dead();
                }
            }
        }
        Map<String, Object> totals = new LinkedHashMap<>();
        totals.put("ready", ready);
        totals.put("running", running);
        totals.put("waiting", waiting);
        totals.put("scheduled", scheduled);
        totals.put("dead", dead);
        totals.put("complete", complete);
        return totals;
    }

    private static void examine(QueueSample sample, List<Attention> attention) {
        Backlog backlog = sample.backlog();
        if (backlog == null || backlog.ready() == 0) {
            return;
        }
        String queue = sample.info().name();
        Duration oldest = backlog.oldest().orElse(Duration.ZERO);
        String waiting = Plural.of(backlog.ready(), "message") + " of queue '" + queue + "' "
                + (backlog.ready() == 1 ? "is" : "are") + " ready, and ";
        if (sample.info().servedBy().isEmpty()) {
            attention.add(Attention.of(
                    Level.PROBLEM, NO_LISTENER, waiting + "no living node has a listener of the queue", queue, oldest));
        }
        if (sample.info().paused()) {
            attention.add(Attention.of(Level.WARNING, "PAUSED", waiting + "the queue is paused", queue, oldest));
        } else if (oldest.compareTo(OLD) > 0) {
            attention.add(Attention.of(
                    Level.WARNING,
                    "OLD",
                    waiting + "the oldest is due for " + oldest.toMinutes() + " minutes",
                    queue,
                    oldest));
        }
    }

    /** Adds one entry for all dead letters: the screen of the causes lists them. */
    private static void deadLetters(Call call, Sample sample, List<Attention> attention) {
        long dead = 0;
        int queues = 0;
        for (QueueSample each : sample.queues().values()) {
            Backlog backlog = each.backlog();
            if (backlog != null && backlog.dead() > 0 && call.sees(each.info().name())) {
                dead += backlog.dead();
                queues++;
            }
        }
        if (queues > 0) {
            attention.add(new Attention(
                    Level.WARNING,
                    "DEAD_LETTERS",
                    Plural.of(dead, "dead letter") + " of " + Plural.of(queues, "queue") + ": replay or discard them",
                    null,
                    "dead",
                    Duration.ZERO));
        }
    }

    /** Adds the guards of this process that stop a queue. */
    private static void guards(Call call, List<Attention> attention) {
        for (QueueState state : call.database().engine().queues()) {
            if (call.sees(state.queue())) {
                state.stoppedBy()
                        .map(GuardState::toString)
                        .ifPresent(guard -> attention.add(
                                Attention.of(Level.WARNING, "GUARD", guard, state.queue(), Duration.ZERO)));
            }
        }
    }

    /** The problems that the doctor found. A queue without a listener is not listed twice. Findings name queues: with a policy, which may hide some, they are only counted. */
    private static void problems(Call call, DoctorRun doctorRun, List<Attention> attention) {
        int problems = doctorRun.report().at(Level.PROBLEM).size();
        if (call.policy() != AccessPolicy.BY_LEVEL) {
            if (problems > 0) {
                attention.add(new Attention(
                        Level.PROBLEM,
                        "DOCTOR",
                        "the doctor found " + Plural.of(problems, "problem") + " of the whole database",
                        null,
                        "doctor",
                        Duration.ZERO));
            }
            return;
        }
        List<String> known = attention.stream()
                .filter(each -> each.kind().equals(NO_LISTENER))
                .map(each -> "queue '" + each.queue() + "' has due messages, ")
                .toList();
        for (Finding finding : doctorRun.report().at(Level.PROBLEM)) {
            if (known.stream().anyMatch(finding.found()::startsWith)) {
                continue;
            }
            attention.add(new Attention(Level.PROBLEM, "DOCTOR", finding.found(), null, "doctor", Duration.ZERO));
        }
    }

    private static List<Map<String, Object>> shown(List<Attention> attention) {
        return attention.stream()
                .sorted(Comparator.comparing(Attention::level, Comparator.reverseOrder())
                        .thenComparing(Attention::age, Comparator.reverseOrder()))
                .limit(MAX_ATTENTION)
                .map(Attention::toFields)
                .toList();
    }

    /** Lists the living nodes with what they run. A node without listeners is no node of the database. */
    private Answer nodes(Call call) {
        NodeSample sample = call.database().sampler().nodes();
        Map<String, Object> answer = Api.answer(call);
        answer.put("asOf", sample.asOf().toString());
        answer.put(
                "nodes",
                sample.nodes().stream()
                        .filter(each -> each.workers().isEmpty()
                                || each.workers().keySet().stream().anyMatch(call::sees))
                        .map(each -> node(call, each))
                        .toList());
        answer.put("complete", sample.nodes().size() < Nodes.MAX_NODES);
        return Answer.polled(answer, sample.nodes().hashCode() + " " + sample.asOf());
    }

    /** The node with the queues that the user may see. */
    private static Map<String, Object> node(Call call, NodeState state) {
        Map<String, Object> node = Views.node(state.node());
        node.put("version", state.version());
        node.put(
                "queues",
                state.workers().keySet().stream().filter(call::sees).sorted().toList());
        state.report().ifPresent(report -> {
            node.put("reportedAt", report.at().toString());
            List<Map<String, Object>> work = new ArrayList<>();
            List<RunningMessage> runs = new ArrayList<>();
            for (QueueWork each : report.queues()) {
                if (call.sees(each.queue())) {
                    work.add(Fields.work(each));
                    runs.addAll(each.longestRuns());
                }
            }
            node.put("work", work);
            node.put(
                    "longestRuns",
                    runs.stream()
                            .sorted(Comparator.comparing(RunningMessage::runningFor)
                                    .reversed())
                            .map(Fields::runningMessage)
                            .toList());
        });
        return node;
    }

    private static Map<Diagnosis.Node, List<String>> livingNodes(Call call, @Nullable Sample sample) {
        Map<Diagnosis.Node, List<String>> nodes = new TreeMap<>(Comparator.comparingInt(Diagnosis.Node::number));
        if (sample != null) {
            for (QueueSample each : sample.queues().values()) {
                String queue = each.info().name();
                if (call.sees(queue)) {
                    each.info()
                            .servedBy()
                            .forEach(node -> nodes.computeIfAbsent(node, key -> new ArrayList<>())
                                    .add(queue));
                }
            }
        }
        return nodes;
    }

    /**
     * Something that needs the attention of an operator.
     *
     * @param link the screen that shows more, relative to the mount point
     */
    private record Attention(
            Level level, String kind, String text, @Nullable String queue, String link, Duration age) {

        static Attention of(Level level, String kind, String text, String queue, Duration age) {
            return new Attention(
                    level, kind, text, queue, "queue?queue=" + URLEncoder.encode(queue, StandardCharsets.UTF_8), age);
        }

        Map<String, Object> toFields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("level", level.name());
            fields.put("kind", kind);
            fields.put("text", text);
            if (queue != null) {
                fields.put("queue", queue);
            }
            fields.put("link", link);
            return fields;
        }
    }
}
