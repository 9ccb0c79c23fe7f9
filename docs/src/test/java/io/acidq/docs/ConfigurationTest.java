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
    void hasAnEntryWithTypeAndDefaultForEachPropertyAndNoOther() throws Exception {
        assertThat(Property.inEntries(PAGE))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(Property.described().stream()
                        .filter(p -> !p.property().name().startsWith(DEFAULTS))
                        .map(Property.Described::entry)
                        .toList());
    }

    /** The entries of a queue stand for both. */
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
    void catchesAWrongDefaultAndAMissingEntry() {
        String beat = "acidq.heartbeat-interval: Duration = 3s";
        assertThat(Property.inEntries(PAGE)).contains(beat);
        assertThat(Property.inEntries(PAGE.replace("`Duration`, default `3s`, ", "`Duration`, default `4s`, ")))
                .contains("acidq.heartbeat-interval: Duration = 4s")
                .doesNotContain(beat);
        assertThat(Property.inEntries("### `acidq.a.<name>.b-c`\n\n`int`, no default."))
                .containsExactly("acidq.a.*.b-c: int = ");
    }
}
