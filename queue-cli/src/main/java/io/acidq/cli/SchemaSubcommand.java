package io.acidq.cli;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.Vendor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command for the tables themselves, in whatever state they are. */
abstract class SchemaSubcommand implements Callable<Integer> {

    @Mixin
    private final Login login = new Login();

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli, before anything is called
    private CommandSpec spec;

    abstract int run(Output output) throws Exception;

    @Override
    public Integer call() throws Exception {
        int code = run(new Output(spec.commandLine().getOut(), login.json));
        spec.commandLine().getOut().flush();
        return code;
    }

    DirectDataSource dataSource() {
        return login.dataSource();
    }

    /** Which kind of server it is. */
    Vendor vendor() {
        try (Connection connection = login.server().getConnection()) {
            return Vendor.of(connection);
        } catch (SQLException e) {
            throw new TransientQueueException("the database does not answer: " + e.getMessage(), e);
        }
    }
}
