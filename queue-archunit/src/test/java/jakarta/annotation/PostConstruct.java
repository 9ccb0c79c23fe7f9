package jakarta.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** By its name the real one, which no test needs. */
@Retention(RetentionPolicy.RUNTIME)
public @interface PostConstruct {}
