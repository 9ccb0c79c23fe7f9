package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The code of the documentation page, on an application that follows every rule. */
class DocumentedRulesTest {

    @Test
    void holdForAnApplicationThatKeepsThem() {
        // snippet:rules
        JavaClasses classes = new ClassFileImporter().importPackages("com.example.shop");
        List<ArchRule> rules = List.of(
                QueueRules.publishInTransaction(),
                QueueRules.noRemoteCallInListeners().alsoForbidding("com.example.shop.StockClient"),
                QueueRules.payloadsAreRecordsOrFinal(),
                QueueRules.listenersOpenNoTransaction(),
                QueueRules.queuesAreConfiguredIn("shop/application.yaml"));
        rules.forEach(rule -> rule.check(classes));
        // /snippet
        // snippet:names
        QueueRules.queuesAreConfigured(Set.of("order.placed", "mail")).check(classes);
        // /snippet
    }
}
