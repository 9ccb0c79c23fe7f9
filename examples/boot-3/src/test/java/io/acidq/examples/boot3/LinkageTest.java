package io.acidq.examples.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.SpringVersion;

/** What queue-spring and queue-micrometer were compiled to call, Spring Framework 6.2 and Micrometer 1.15 have: also where no test comes by. */
class LinkageTest {

    private static final String SPRING = "org.springframework.";

    private static final String MICROMETER = "io.micrometer.";

    @Test
    void findsEveryMethodAndFieldOfSpringThatQueueSpringUses() {
        assertThat(SpringVersion.getVersion()).startsWith("6.2.");

        assertResolved(uses("io.acidq.spring", SPRING), 100);
    }

    @Test
    void findsEveryMethodAndFieldOfMicrometerThatQueueMicrometerUses() {
        assertThat(MeterRegistry.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .contains("micrometer-core-1.15.");

        assertResolved(uses("io.acidq.micrometer", MICROMETER), 30);
    }

    private static void assertResolved(List<JavaAccess<?>> uses, int least) {
        assertThat(uses).hasSizeGreaterThan(least);
        assertThat(uses.stream().filter(use -> use.getTarget().resolveMember().isEmpty()))
                .isEmpty();
    }

    private static List<JavaAccess<?>> uses(String ours, String theirs) {
        JavaClasses classes = new ClassFileImporter().importPackages(ours);
        return classes.stream()
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .<JavaAccess<?>>map(use -> use)
                .filter(use -> use.getTargetOwner().getName().startsWith(theirs))
                .toList();
    }
}
