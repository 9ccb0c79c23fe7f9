package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** In this module, because Logback has a logging context. The logger of the other modules' tests has none. */
class ThreadSnapshotTest {

    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void restoresTheLoggingContext() {
        MDC.put("user", "ann");
        ThreadSnapshot snapshot = ThreadSnapshot.ofCurrentThread();

        MDC.put("user", "bob");
        MDC.put("mark", "left");
        snapshot.restore();

        assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("user", "ann"));
    }

    @Test
    void clearsTheLoggingContextThatWasEmpty() {
        ThreadSnapshot snapshot = ThreadSnapshot.ofCurrentThread();

        MDC.put("mark", "left");
        snapshot.restore();

        assertThat(MDC.get("mark")).isNull();
    }
}
