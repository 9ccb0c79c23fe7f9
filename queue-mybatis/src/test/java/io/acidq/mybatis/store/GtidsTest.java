package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ServerStore.Commits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GtidsTest {

    private static final String SERVER = "3E11FA47-71CA-11E1-9E33-C80AA9429562";
    private static final String OTHER = "aaaaaaaa-71ca-11e1-9e33-c80aa9429562";

    @ParameterizedTest
    @CsvSource({"1, 1, 101", "1-5, 5, 105", "1-5:7, 7, 106", "1-5:7-9:11-20, 20, 118", "1-5:tag:1-30:_other:3, 5, 136"})
    void readsTheLastNumberOfTheServerAndHowManyThereAreInAll(String intervals, long last, long count) {
        assertThat(MyBatisServerStore.commits(
                        OTHER + ":1-100,\n" + SERVER + ":" + intervals, SERVER.toLowerCase(java.util.Locale.ROOT)))
                .hasValue(new Commits(last, count));
    }

    @Test
    void findsNoneWhereTheServerHasNumberedNothing() {
        assertThat(MyBatisServerStore.commits("", SERVER)).isEmpty();
        assertThat(MyBatisServerStore.commits(OTHER + ":1-100", SERVER)).isEmpty();
        assertThat(MyBatisServerStore.commits(SERVER + ":tag:1-30", SERVER)).isEmpty();
    }
}
