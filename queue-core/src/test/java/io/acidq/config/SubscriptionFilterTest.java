package io.acidq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters on a message of type Order with the headers region=eu and note=it's. */
class SubscriptionFilterTest {

    private static boolean accepts(String filter) {
        return SubscriptionFilter.parse(filter).accepts("Order", Map.of("region", "eu", "note", "it's"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "type = 'Order'",
                "type='Order'and region='eu'",
                "region in ('us', 'eu')",
                "region != 'us'",
                "missing != 'eu'",
                "missing is null",
                "region is not null",
                "note = 'it''s'",
                "not region = 'us'",
                "region = 'us' or type = 'Order' and region = 'eu'",
                "(region = 'us' or type = 'Order') and region = 'eu'",
                "NOT (region = 'us' OR missing IS NOT NULL)"
            })
    void acceptsTheMessage(String filter) {
        assertThat(accepts(filter)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "type = 'order'",
                "region in ('us', 'ap')",
                "region != 'eu'",
                "missing = ''",
                "missing in ('eu')",
                "not type = 'Order'",
                "(region = 'us' or type = 'Order') and region = 'us'",
                "region = 'eu' and missing is not null"
            })
    void leavesTheMessageOut(String filter) {
        assertThat(accepts(filter)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "region | has its end at character 7 where =, !=, in or is is expected",
                "region = eu | has eu at character 10 where a text in single quotes is expected",
                "region = 'eu | has ' at character 10 where a name",
                "region = 'eu' type = 'a' | has type at character 15 where and, or, or the end is expected",
                "region in () | has ) at character 12 where a text in single quotes",
                "(region = 'eu' | has its end at character 15 where ) is expected",
                "region == 'eu' | has = at character 9 where a text in single quotes",
                "'eu' = region | has 'eu' at character 1 where 'type' or the name of a header",
                "TYPE = 'Order' | has TYPE at character 1 where 'type' in lower case, the stored type of the message, is expected",
                "region > 'eu' | has > at character 8 where a name"
            })
    void saysWhereAFilterIsWrong(String filter, String error) {
        assertThatThrownBy(() -> SubscriptionFilter.parse(filter))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("[" + filter + "]", error);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_region", "-region", ".region", "\"not\"", "\"a b\"", "\"a\"\"b\"", "\"type\""})
    void namesAnyHeader(String name) {
        Map<String, String> headers = Map.of(
                "_region", "eu", "-region", "eu", ".region", "eu", "not", "eu", "a b", "eu", "a\"b", "eu", "type",
                "eu");
        assertThat(SubscriptionFilter.parse(name + " = 'eu'").accepts("Order", headers))
                .isTrue();
        assertThat(SubscriptionFilter.parse(name + " is null").accepts("Order", headers))
                .isFalse();
    }

    @Test
    void refusesAFilterThatDoesNotFitIntoItsColumn() {
        assertThatThrownBy(() -> SubscriptionFilter.parse("region = '" + "x".repeat(1000) + "'"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("1011 characters, at most 1000");
    }
}
