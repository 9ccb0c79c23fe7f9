package io.acidq.benchmarks;

import java.sql.SQLException;

/** What it means for the command line that a server refuses us, and what to do. */
final class ConnectionRefusal {

    private ConnectionRefusal() {}

    static String of(SQLException refused, String user) {
        String said = String.valueOf(refused.getMessage()).lines().findFirst().orElse("");
        return switch (refused.getErrorCode()) {
            case 1045, 1698 -> "--user, --password: the server does not let '" + user + "' in: " + said;
            case 1044, 1142, 1227, 1370 ->
                "--user: '" + user + "' may not do all that is needed: " + said
                        + ". Name a database in --url in which it may do everything, or let it make them:"
                        + " GRANT ALL ON `acidq\\_bench\\_%`.* TO the user";
            case 1049 ->
                "--url: " + said + ". Create that database, or leave its name out: then one is made, and dropped";
            default ->
                String.valueOf(refused.getSQLState()).startsWith("08")
                        ? "--url: no server answers: " + said
                                + ". Is it started, are host and port right? Without --url one is started"
                        : "--url: the server refuses: " + said;
        };
    }
}
