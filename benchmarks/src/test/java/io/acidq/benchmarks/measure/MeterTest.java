package io.acidq.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeterTest {

    @Test
    void convertsTheNamesOfStatusVariables() {
        assertThat(Meter.camel("Questions")).isEqualTo("questions");
        assertThat(Meter.camel("Com_insert")).isEqualTo("comInsert");
        assertThat(Meter.camel("Com_release_savepoint")).isEqualTo("comReleaseSavepoint");
    }
}
