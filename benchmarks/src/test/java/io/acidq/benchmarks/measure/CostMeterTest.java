package io.acidq.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CostMeterTest {

    @Test
    void convertsTheNamesOfStatusVariables() {
        assertThat(CostMeter.camel("Questions")).isEqualTo("questions");
        assertThat(CostMeter.camel("Com_insert")).isEqualTo("comInsert");
        assertThat(CostMeter.camel("Com_release_savepoint")).isEqualTo("comReleaseSavepoint");
    }
}
