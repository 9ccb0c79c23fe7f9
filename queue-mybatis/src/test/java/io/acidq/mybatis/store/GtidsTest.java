package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GtidsTest {

    private static final String SERVER = "3E11FA47-71CA-11E1-9E33-C80AA9429562";
    private static final String OTHER = "aaaaaaaa-71ca-11e1-9e33-c80aa9429562";

    @ParameterizedTest
    @CsvSource({"1, 1", "1-5, 5", "1-5:7, 7", "1-5:7-9:11-20, 20", "1-5:tag:1-30, 5"})
    void readsTheLastNumberOfTheServer(String intervals, long last) {
        assertThat(Gtids.last(
                        OTHER + ":1-100,\n" + SERVER + ":" + intervals, SERVER.toLowerCase(java.util.Locale.ROOT)))
                .hasValue(last);
    }

    @Test
    void findsNoneWhereTheServerHasNumberedNothing() {
        assertThat(Gtids.last("", SERVER)).isEmpty();
        assertThat(Gtids.last(OTHER + ":1-100", SERVER)).isEmpty();
        assertThat(Gtids.last(SERVER + ":tag:1-30", SERVER)).isEmpty();
    }
}
