package io.acidq.testservers;

import io.acidq.devdb.DatabaseServer;
import java.util.List;
import java.util.Map;

/** MySQL from Debian's packages. */
record LocalMySql(DatabaseServer process) implements RunningServer {
    static LocalMySql start(List<String> options, Map<String, String> environment) {
        return new LocalMySql(DatabaseServer.start(
                DebianMySql.recipe().withEnvironment(environment), new DatabaseServer.Settings(0, null, options)));
    }

    @Override
    public TestServer server() {
        return ServerKind.MYSQL.at("127.0.0.1", process.port(), "root", "");
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void restart() {
        process.restart();
    }

    @Override
    public void close() {
        process.close();
    }
}
