package io.acidq.cli;

import io.acidq.testservers.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the command line in this process. */
record Shell(String url, String user, String password) {

    static Shell of(TestDatabase database) {
        return new Shell(database.jdbcUrl(), database.username(), database.password());
    }

    Shell withUrl(String other) {
        return new Shell(other, user, password);
    }

    /**
     * The output of a command.
     *
     * @param out the standard output
     * @param err the standard error
     */
    record Result(int code, String out, String err) {

        JsonNode json() {
            return new JsonMapper().readTree(out);
        }
    }

    /** Runs a command with the connection options of the database. */
    Result run(String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--url", url, "--user", user, "--password=" + password));
        return bare(all.toArray(String[]::new));
    }

    static Result bare(String... command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Acidq.run(new PrintWriter(out, true), new PrintWriter(err, true), command);
        return new Result(code, out.toString(), err.toString());
    }
}
