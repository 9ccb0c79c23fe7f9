package io.acidq.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Store;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.acidq.spring");

    private static final ArchRule KNOWS_NO_STORE = noClasses()
            .that()
            .resideInAPackage("io.acidq.spring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.acidq.mybatis..", "org.apache.ibatis..", "org.mybatis..", "org.springframework.boot..");

    private static final ArchRule SHOWS_ONLY_WHAT_USERS_NEED = classes()
            .that()
            .resideInAPackage("io.acidq.spring..")
            .and()
            .arePublic()
            .should()
            .haveSimpleName("Publish")
            .orShould()
            .haveSimpleName("PublishedTo")
            .orShould()
            .haveSimpleName("List") // the containers of both
            .orShould()
            .haveSimpleName("QueueTemplate")
            .orShould()
            .haveSimpleName("QueueName")
            .orShould()
            .haveSimpleName("QueueListener")
            .orShould()
            .haveSimpleName("EnableAcidQ")
            .orShould()
            .haveSimpleName("ListenerCustomizer")
            .orShould()
            .haveSimpleName("GuardFinder")
            .orShould()
            .haveSimpleName("ListenerDefaults")
            .orShould()
            .haveSimpleName("QueueEngine")
            .orShould()
            .haveSimpleName("QueueEngines")
            .orShould()
            .haveSimpleName("EngineCustomizer")
            .orShould()
            .haveSimpleName("QueueErrorHandler")
            .orShould()
            .haveSimpleName("QueueListenerRegistry")
            .orShould()
            .haveSimpleName("WorkerThreads")
            .orShould()
            .haveSimpleName("SpringTransactions");

    /** Breaks both rules. */
    @SuppressWarnings("unused")
    public static class Guilty {
        Store store(DataSource dataSource) {
            return MyBatisStore.over(dataSource);
        }
    }

    @Test
    void knowsNoStore() {
        KNOWS_NO_STORE.check(MAIN);
        assertCaught(KNOWS_NO_STORE);
    }

    @Test
    void showsOnlyWhatUsersNeed() {
        SHOWS_ONLY_WHAT_USERS_NEED.check(MAIN);
        assertCaught(SHOWS_ONLY_WHAT_USERS_NEED);
    }

    private static void assertCaught(ArchRule rule) {
        JavaClasses guilty = new ClassFileImporter().importClasses(Guilty.class);
        assertThat(guilty).extracting(JavaClass::getSimpleName).containsExactly("Guilty");
        assertThat(rule.evaluate(guilty).hasViolation()).isTrue();
    }
}
