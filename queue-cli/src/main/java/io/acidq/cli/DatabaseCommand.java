package io.acidq.cli;

import io.acidq.QueueMisuseException;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Store;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that uses a database, with the options that all such commands have. */
abstract class DatabaseCommand implements Callable<Integer> {

    @Mixin
    final ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--json", description = "Writes JSON. Errors are JSON too.")
    private boolean json;

    /** {@link Acidq} reads this option before picocli parses the command line; the field declares it. */
    @Option(names = "--verbose", description = "Writes the log, and the stack trace of an error.")
    @SuppressWarnings("UnusedVariable")
    private boolean verbose;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls the command
    private CommandSpec spec;

    /** Runs the command and returns its exit code. */
    abstract int run(Output output) throws Exception;

    @Override
    public final Integer call() throws Exception {
        Output output = new Output(spec.commandLine().getOut(), json);
        int code = run(output);
        output.out().flush();
        return code;
    }

    /** Connects, and checks that the tables are those of this version. */
    final Store openStore() {
        Store store = MyBatisStore.over(connection.dataSource());
        try {
            store.server().checkTables();
        } catch (QueueMisuseException e) {
            String problem = String.valueOf(e.getMessage()).split("\nHow to \\w+ it: ", 2)[0];
            throw new CommandException(ExitCode.REFUSED, problem + " (run acidq schema check to see how to fix it)", e);
        }
        return store;
    }

    /** Returns an engine without listeners, which is not started. */
    static Engine engine(Store store) {
        return Engine.builder(store).build();
    }
}
