package io.acidq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.telemetry.Telemetry;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TelemetryTest {

    private static final Pattern TABLE =
            Pattern.compile("(?<=<!-- events -->\n)(.*?)(?=<!-- /events -->)", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

    @Test
    void hasARowForEachEventAndNoOther() {
        assertThat(TABLE.matcher(Project.text("docs/en/observability.md"))
                        .results()
                        .flatMap(table -> ROW.matcher(table.group()).results())
                        .map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Telemetry.class.getDeclaredMethods())
                        .filter(event -> !event.isSynthetic())
                        .map(Method::getName)
                        .toList());
    }
}
