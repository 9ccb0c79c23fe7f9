package io.acidq.testservers;

import io.acidq.devdb.DevDatabase;
import java.util.List;
import java.util.Map;

/** MariaDB from the package registry, by the module that developers use. */
record LocalMariaDb(DevDatabase database) implements RunningServer {
    static LocalMariaDb start(List<String> options, Map<String, String> environment) {
        DevDatabase.Builder builder = DevDatabase.builder();
        options.forEach(builder::arg);
        environment.forEach(builder::env);
        return new LocalMariaDb(builder.start());
    }

    @Override
    public TestServer server() {
        return ServerKind.MARIADB.at("127.0.0.1", database.port(), database.username(), database.password());
    }

    @Override
    public void kill() {
        database.kill();
    }

    @Override
    public void restart() {
        database.restart();
    }

    @Override
    public void close() {
        database.close();
    }
}
