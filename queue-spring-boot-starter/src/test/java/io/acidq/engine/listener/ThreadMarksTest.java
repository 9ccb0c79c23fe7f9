package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** In this module, because Logback has a logging context. The logger of the other modules' tests has none. */
class ThreadMarksTest {

    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void restoresTheLoggingContext() {
        MDC.put("user", "ann");
        ThreadMarks marks = ThreadMarks.ofCurrentThread();

        MDC.put("user", "bob");
        MDC.put("mark", "left");
        marks.restore();

        assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("user", "ann"));
    }

    @Test
    void clearsTheLoggingContextThatWasEmpty() {
        ThreadMarks marks = ThreadMarks.ofCurrentThread();

        MDC.put("mark", "left");
        marks.restore();

        assertThat(MDC.get("mark")).isNull();
    }
}
