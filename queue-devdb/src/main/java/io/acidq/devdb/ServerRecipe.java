package io.acidq.devdb;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes how to run a server from unpacked binaries.
 *
 * @param name the name in messages, such as {@code MariaDB}
 * @param program the executable, after its loader if it needs one
 * @param environment variables for the program
 * @param template an initialised data folder, copied for each new server
 * @param options options before those of the caller, beginning with {@code --no-defaults}
 * @param initSql statements that run at each start before the server accepts connections
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

    /** Returns a copy with further environment variables. */
    public ServerRecipe withEnvironment(Map<String, String> further) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(further);
        return new ServerRecipe(name, program, all, template, options, initSql);
    }
}
