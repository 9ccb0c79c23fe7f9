package io.acidq.spring.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.spring.EnableAcidQ;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.SpringVersion;

class AcidqImportSelectorTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAcidQ
    static class Application {}

    @Test
    void namesTheVersionOfSpringThatIsNeededAndTheOneThatIsThere() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.setClassLoader(new OlderSpring());
            context.register(Application.class);

            assertThatThrownBy(context::refresh)
                    .rootCause()
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessage("AcidQ needs Spring Framework 6.2 or newer, and this application has "
                            + SpringVersion.getVersion()
                            + ": update Spring, or use queue-core and queue-mybatis without queue-spring");
        }
    }

    /** Has no class that is new in Spring Framework 6.2. */
    private static final class OlderSpring extends ClassLoader {

        OlderSpring() {
            super(AcidqImportSelectorTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("org.springframework.context.annotation.Fallback")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
