package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.config.Concurrency;
import io.acidq.config.EngineConfig;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.config.Retention;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

    private static final String DEFAULTS = "acidq.queue-defaults.";
    private static final String PAGE = Project.text("docs/en/configuration.md");

    @Test
    void hasARowWithTheRightDefaultForEachPropertyAndNoOther() throws Exception {
        assertThat(Property.inTables(PAGE))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(Property.ofTheStarter().stream()
                        .filter(p -> !p.name().startsWith(DEFAULTS))
                        .toList());
    }

    /** The rows of a queue stand for both. */
    @Test
    void hasTheSameSettingsForAQueueAndForTheDefaultsOfAll() throws Exception {
        List<Property> all = Property.ofTheStarter();

        assertThat(all.stream().map(Property::name).filter(n -> n.startsWith(DEFAULTS)))
                .isNotEmpty()
                .map(n -> n.replace(DEFAULTS, "acidq.queues.*."))
                .containsExactlyInAnyOrderElementsOf(all.stream()
                        .map(Property::name)
                        .filter(n -> n.startsWith("acidq.queues.*."))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                EngineConfig.class,
                QueueConfig.class,
                Retention.class,
                Listener.class,
                HandlerOptions.class,
                Concurrency.class,
                RetryPolicy.class,
                Backoff.class,
                Breaker.class,
                RateLimit.class,
                Bulkhead.class
            })
    void namesEachSettingOfTheBuilders(Class<?> type) {
        assertThat(Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName))
                .allSatisfy(name -> assertThat(PAGE).contains("`" + type.getSimpleName() + "." + name + "`"));
    }

    @Test
    void catchesAWrongDefaultAndAMissingRow() {
        Property beat = new Property("acidq.beat", "3s");
        assertThat(Property.inTables(PAGE)).contains(beat);
        assertThat(Property.inTables(PAGE.replace("| `acidq.beat` | `3s` |", "| `acidq.beat` | `4s` |")))
                .contains(new Property("acidq.beat", "4s"))
                .doesNotContain(beat);
        assertThat(Property.inTables("| `acidq.a.<name>.b-c` | none | text |"))
                .containsExactly(new Property("acidq.a.*.b-c", ""));
    }
}
