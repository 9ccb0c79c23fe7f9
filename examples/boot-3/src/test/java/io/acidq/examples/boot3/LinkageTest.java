package io.acidq.examples.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.SpringVersion;

/** What queue-spring was compiled to call, Spring Framework 6.2 has: also where no test comes by. */
class LinkageTest {

    private static final String SPRING = "org.springframework.";

    private static final JavaClasses QUEUE_SPRING = new ClassFileImporter().importPackages("io.acidq.spring");

    @Test
    void findsEveryMethodAndFieldOfSpringThatQueueSpringUses() {
        assertThat(SpringVersion.getVersion()).startsWith("6.2.");

        List<JavaAccess<?>> uses = uses();

        assertThat(uses).hasSizeGreaterThan(100);
        assertThat(uses.stream().filter(use -> use.getTarget().resolveMember().isEmpty()))
                .isEmpty();
    }

    private static List<JavaAccess<?>> uses() {
        return QUEUE_SPRING.stream()
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .<JavaAccess<?>>map(use -> use)
                .filter(use -> use.getTargetOwner().getName().startsWith(SPRING))
                .toList();
    }
}
