package io.acidq.boot;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Boot applications over a new database on a real server. */
final class ServerApplication {

    private ServerApplication() {}

    static ConfigurableApplicationContext start(ServerKind kind, Class<?> application, String... properties) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("spring.datasource.url", database.jdbcUrl());
        all.put("spring.datasource.username", database.username());
        all.put("spring.datasource.password", database.password());
        for (String property : properties) {
            int is = property.indexOf('=');
            all.put(property.substring(0, is), property.substring(is + 1));
        }
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(all)
                .run();
    }
}
