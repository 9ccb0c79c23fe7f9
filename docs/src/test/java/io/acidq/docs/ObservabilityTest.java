package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.micrometer.AcidqMeter;
import io.acidq.telemetry.Telemetry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ObservabilityTest {

    private static final String PAGE = "docs/en/observability.md";
    private static final Pattern TABLE =
            Pattern.compile("(?<=<!-- meters -->\n)(.*?)(?=<!-- /meters -->)", Pattern.DOTALL);
    private static final Pattern EVENTS =
            Pattern.compile("(?<=<!-- events -->\n)(.*?)(?=<!-- /events -->)", Pattern.DOTALL);
    private static final Pattern EVENT = Pattern.compile("(?m)^\\| `(\\w+)` \\|");
    private static final Pattern METRIC = Pattern.compile("\\bacidq_\\w+");

    @Test
    void showsEachMeterAsTheCodeHasIt() throws IOException {
        String page = Project.text(PAGE);
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(Project.ROOT.resolve(PAGE), TABLE.matcher(page).replaceFirst(table()));
            return;
        }
        assertThat(TABLE.matcher(page).results().map(MatchResult::group))
                .as(PAGE + " is stale: -Ddocs.write=true writes it anew")
                .containsExactly(table());
    }

    @Test
    void hasARowForEachEventAndNoOther() {
        assertThat(EVENTS.matcher(Project.text(PAGE))
                        .results()
                        .flatMap(table -> EVENT.matcher(table.group()).results())
                        .map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Telemetry.class.getDeclaredMethods())
                        .filter(event -> !event.isSynthetic())
                        .map(Method::getName)
                        .toList());
    }

    @Test
    void namesInTheDashboardOnlyMetricsThatThereAre() {
        JsonNode dashboard = JsonMapper.shared().readTree(Project.text("docs/grafana/acidq-dashboard.json"));

        List<String> expressions =
                dashboard.findValues("expr").stream().map(JsonNode::asString).toList();
        assertThat(expressions)
                .hasSizeGreaterThan(20)
                .allSatisfy(e -> assertThat(named(e)).isNotEmpty());
        assertThat(expressions.stream().flatMap(e -> named(e).stream())).isSubsetOf(made());
        assertThat(dashboard.findValues("query").toString()).contains("acidq_workers");
    }

    @Test
    void showsEveryMeterInTheDashboardButTheRare() {
        Set<String> shown = named(Project.text("docs/grafana/acidq-dashboard.json"));

        assertThat(Arrays.stream(AcidqMeter.values())
                        .filter(meter -> shown.stream().noneMatch(name -> name.startsWith(prometheus(meter)))))
                .containsExactly(AcidqMeter.RECONCILED);
    }

    @Test
    void raisesAlarmsOnlyByMetricsThatThereAre() {
        List<Map<String, Object>> rules = rules();

        assertThat(rules).hasSizeGreaterThan(5).allSatisfy(rule -> {
            assertThat(named((String) rule.get("expr"))).isNotEmpty().isSubsetOf(made());
            assertThat(rule).containsKeys("alert", "labels");
            assertThat((Map<?, ?>) rule.get("annotations"))
                    .extracting("summary", "description")
                    .doesNotContainNull();
        });
    }

    @Test
    void catchesAMetricThatNobodyMakes() {
        assertThat(made())
                .contains("acidq_enqueued_total", "acidq_handler_seconds_count", "acidq_oldest_seconds")
                .doesNotContain("acidq_enqueued", "acidq_lag_seconds_bucket");
        assertThat(named("rate(acidq_enqueued_messages_total[5m]) > acidq_workers"))
                .containsExactlyInAnyOrder("acidq_enqueued_messages_total", "acidq_workers");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules() {
        Map<String, List<Map<String, Object>>> all = new Yaml().load(Project.text("docs/grafana/acidq-alerts.yaml"));
        return all.get("groups").stream()
                .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                .toList();
    }

    private static String table() {
        return "\n| meter | in Prometheus | type | tags besides `engine` | is |\n|---|---|---|---|---|\n"
                + Arrays.stream(AcidqMeter.values()).map(ObservabilityTest::row).collect(Collectors.joining())
                + "\n";
    }

    private static String row(AcidqMeter meter) {
        return "| `%s` | `%s` | %s | %s | %s |%n"
                .formatted(
                        meter.meterName(),
                        prometheus(meter),
                        meter.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        meter.tags().stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", ")),
                        meter.description());
    }

    /** By its convention; of a timer and a summary without the suffix of each of its series. */
    private static String prometheus(AcidqMeter meter) {
        return scraped(meter)
                .map(name -> name.replaceAll("_(count|sum|max)$", ""))
                .distinct()
                .collect(Collectors.joining());
    }

    private static Set<String> named(String expression) {
        return METRIC.matcher(expression).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    private static Set<String> made() {
        return Arrays.stream(AcidqMeter.values())
                .flatMap(ObservabilityTest::scraped)
                .collect(Collectors.toSet());
    }

    private static Stream<String> scraped(AcidqMeter meter) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Tags tags = Tags.of("engine", "main");
        for (String tag : meter.tags()) {
            tags = tags.and(tag, "x");
        }
        String name = meter.meterName();
        switch (meter.type()) {
            case COUNTER -> Counter.builder(name).tags(tags).register(registry);
            case TIMER -> Timer.builder(name).tags(tags).register(registry);
            case DISTRIBUTION_SUMMARY ->
                DistributionSummary.builder(name).tags(tags).register(registry);
            default ->
                Gauge.builder(name, () -> 1).baseUnit(meter.unit()).tags(tags).register(registry);
        }
        return registry.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("[{ ].*", ""))
                .distinct();
    }
}
