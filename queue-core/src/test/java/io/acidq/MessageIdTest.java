package io.acidq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdTest {

    @Test
    void parsesItsTextForm() {
        MessageId id = new MessageId("order.placed", 17, UUID.randomUUID());
        assertThat(MessageId.parse(id.toString())).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "order", "order~1", "~1~018f0000-0000-7000-8000-000000000000", "order~x~1"})
    void refusesTextsThatAreNoId(String text) {
        assertThatThrownBy(() -> MessageId.parse(text)).isInstanceOf(RuntimeException.class);
    }

    @Test
    void acceptsQueueNamesOfUpToAHundredCharacters() {
        String longest = "Az09._-".repeat(15).substring(0, 100);
        assertThat(new MessageId(longest, 0, UUID.randomUUID()).queue()).isEqualTo(longest);
        assertThatThrownBy(() -> new MessageId(longest + "x", 0, UUID.randomUUID()))
                .isInstanceOf(QueueMisuseException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a'b", "a`b", "a\"b", "x; DROP TABLE y", "ä", ".a", "a b"})
    void refusesQueueNamesWithOtherCharacters(String name) {
        assertThatThrownBy(() -> new MessageId(name, 0, UUID.randomUUID()))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("queue name '" + name + "'");
    }
}
