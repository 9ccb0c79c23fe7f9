package io.acidq.devdb;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How to run one kind of server from unpacked binaries.
 *
 * @param name for messages, such as {@code MariaDB}
 * @param program the executable, with its loader in front where it needs one
 * @param environment variables for the program
 * @param template an initialised data folder, copied for each new server
 * @param options in front of the caller's, {@code --no-defaults} first
 * @param initSql statements that run at each start before anybody can connect
 */
public record ServerRecipe(
        String name,
        List<String> program,
        Map<String, String> environment,
        Path template,
        List<String> options,
        List<String> initSql) {
    public ServerRecipe {
        program = List.copyOf(program);
        environment = Map.copyOf(environment);
        options = List.copyOf(options);
        initSql = List.copyOf(initSql);
    }

    /** The same with further variables. */
    public ServerRecipe withEnvironment(Map<String, String> further) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(further);
        return new ServerRecipe(name, program, all, template, options, initSql);
    }
}
