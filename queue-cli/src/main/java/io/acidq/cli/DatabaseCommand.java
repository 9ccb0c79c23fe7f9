package io.acidq.cli;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Store;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command over the tables of a database. */
abstract class DatabaseCommand implements Callable<Integer> {

    @Mixin
    private final Login login = new Login();

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli, before anything is called
    private CommandSpec spec;

    /** Does it, on tables that are known to be those of this version. */
    abstract int run(Database database, Output output);

    @Override
    public Integer call() {
        Store store = MyBatisStore.over(login.dataSource());
        try {
            store.server().checkTables();
        } catch (QueueMisuseException e) {
            String what = String.valueOf(e.getMessage()).split("\nHow to mend it: ", 2)[0];
            throw new RefusedException(ExitCode.REFUSED, what + " (acidq schema check says how to mend it)");
        }
        int code = run(
                new Database(Engine.builder(store).build(), store),
                new Output(spec.commandLine().getOut(), login.json));
        spec.commandLine().getOut().flush();
        return code;
    }
}
