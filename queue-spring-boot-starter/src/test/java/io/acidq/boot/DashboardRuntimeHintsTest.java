package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.security.web.csrf.CsrfToken;

class DashboardRuntimeHintsTest {

    private static final String ROOT = "io/acidq/dashboard/";

    private final RuntimeHints hints = new RuntimeHints();

    DashboardRuntimeHintsTest() {
        for (RuntimeHintsRegistrar registrar : AotServices.factories().load(RuntimeHintsRegistrar.class)) {
            if (registrar instanceof DashboardRuntimeHints) {
                registrar.registerHints(hints, getClass().getClassLoader());
            }
        }
    }

    @Test
    void registersTheFilesOfTheScreensAndOfTheApi() throws IOException {
        int files = 0;
        for (String pattern : List.of("*.yaml", "ui/**")) {
            for (Resource file :
                    new PathMatchingResourcePatternResolver().getResources("classpath*:" + ROOT + pattern)) {
                String url = file.getURL().toString();
                String name = url.substring(url.lastIndexOf(ROOT));
                if (file.isReadable() && !name.endsWith("/")) {
                    assertThat(RuntimeHintsPredicates.resource().forResource(name))
                            .as(name)
                            .accepts(hints);
                    files++;
                }
            }
        }
        assertThat(files).isGreaterThan(30);
    }

    @Test
    void registersTheTokenOfSpringSecurity() throws NoSuchMethodException {
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(CsrfToken.class.getMethod("getHeaderName")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(CsrfToken.class.getMethod("getToken")))
                .accepts(hints);
    }
}
