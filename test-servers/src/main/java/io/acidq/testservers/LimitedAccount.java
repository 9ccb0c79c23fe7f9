package io.acidq.testservers;

import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * An account of a test database that has only the privileges that the test grants. With {@code -Dacidq.test.grants=true} the tests of store and engine
 * use such an account.
 *
 * @param user its name, on both kinds of hosts: a given server may have an anonymous user of localhost, which would take precedence
 */
public record LimitedAccount(TestDatabase database, String user, String password) implements AutoCloseable {

    /** Whether the tests of store and engine run with least privileges. */
    public static boolean wanted() {
        return Boolean.getBoolean("acidq.test.grants");
    }

    /** Creates an account without privileges. It is dropped at the end of this JVM at the latest. */
    public static LimitedAccount on(TestDatabase database) {
        LimitedAccount account = new LimitedAccount(
                database, "u" + UUID.randomUUID().toString().replace("-", "").substring(0, 20), "Secret-1234");
        account.hosts()
                .forEach(host ->
                        database.server().execute("CREATE USER " + host + " IDENTIFIED BY '" + account.password + "'"));
        Runtime.getRuntime().addShutdownHook(new Thread(account::close));
        return account;
    }

    /** Executes the statements that the function returns for the names of the database and of the account at each host. */
    public LimitedAccount granted(BiFunction<String, String, List<String>> grants) {
        Stream.of("%", "localhost")
                .flatMap(host -> grants.apply(database.name(), user + "@" + host).stream())
                .forEach(grant -> database.server().execute(grant));
        return this;
    }

    /** Grants the privileges for the tables of an application, which need not exist. */
    public LimitedAccount mayUse(String... tables) {
        for (String table : tables) {
            hosts().forEach(host -> database.server()
                    .execute("GRANT CREATE, SELECT, INSERT, UPDATE, DELETE ON " + database.name() + "." + table + " TO "
                            + host));
        }
        return this;
    }

    private List<String> hosts() {
        return List.of("'" + user + "'@'%'", "'" + user + "'@'localhost'");
    }

    @Override
    public void close() {
        hosts().forEach(host -> database.server().execute("DROP USER IF EXISTS " + host));
    }
}
