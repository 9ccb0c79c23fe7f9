package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.examples.orders.JobProcess.Result;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar as people start it: nothing installed, nothing configured. Takes five to ten seconds each: a database and one to three processes start. */
class JarIT {

    @ParameterizedTest
    @ValueSource(strings = {"--processes=0", "--processes=2"})
    void bringsItsDatabaseAlong(String processes) throws Exception {
        try (JobProcess job = JobProcess.fromJar("--orders=300", processes)) {
            Result result = job.await();

            assertThat(result.output())
                    .singleElement()
                    .asString()
                    .startsWith("orders=300 shipments=300 lost=0 duplicated=0 out_of_order=0 dead=0 ");
            assertThat(result.exitCode()).isZero();
        }
    }
}
