package io.acidq.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers hints for the dashboard in a native image: the files of its screens, the description of its API, and the methods of Spring Security's token, which its servlet
 * calls without knowing the class. They do nothing in an application without the dashboard.
 */
final class DashboardRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources()
                .registerPattern("io/acidq/dashboard/openapi.yaml")
                .registerPattern("io/acidq/dashboard/ui/*")
                .registerPattern("io/acidq/dashboard/ui/*/*");
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.security.web.csrf.CsrfToken",
                        MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
