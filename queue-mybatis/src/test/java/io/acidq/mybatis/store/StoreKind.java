package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreDatabase.Driver;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The databases of the tests: each in its usual configuration, and in a full build also with other drivers and options. */
enum StoreKind {
    /**
     * For development. Not run on it: the tests for {@link EachServer}. H2 has no snapshot at REPEATABLE READ that a locking read could see past,
     * no deadlock on shared locks after a duplicate key, no session timeouts, and nothing that tells when a session waits for a lock; what these
     * tests prove, it could only imitate.
     */
    H2(StoreDatabase::onH2),
    MYSQL(() -> StoreDatabase.on(ServerKind.MYSQL, Driver.CONNECTOR_J, "", true)),
    MARIADB(() -> StoreDatabase.on(ServerKind.MARIADB, Driver.MARIADB, "", true)),
    /** The options of the driver that change counts, batches and prepares, and a pool without autocommit. */
    MYSQL_WITH_OPTIONS(() -> StoreDatabase.on(
            ServerKind.MYSQL,
            Driver.CONNECTOR_J,
            "&useAffectedRows=true&rewriteBatchedStatements=true&useServerPrepStmts=true&cachePrepStmts=true&sendFractionalSeconds=false",
            false)),
    /** The driver of MySQL reports this server as MySQL. */
    MARIADB_BY_CONNECTOR_J(() -> StoreDatabase.on(
            ServerKind.MARIADB,
            Driver.CONNECTOR_J,
            "&useAffectedRows=true&rewriteBatchedStatements=true&sendFractionalSeconds=false",
            true));

    private static final List<StoreKind> VARIANTS = List.of(MYSQL_WITH_OPTIONS, MARIADB_BY_CONNECTOR_J);

    private final Supplier<StoreDatabase> opening;
    private StoreDatabase database;

    StoreKind(Supplier<StoreDatabase> opening) {
        this.opening = opening;
    }

    /** The one database of this kind, which all test classes of this JVM share; each test has a queue of its own there. */
    synchronized StoreDatabase database() {
        if (database == null) {
            database = opening.get();
        }
        return database;
    }

    /** Opens another database, for tests that fill it. */
    StoreDatabase open() {
        return opening.get();
    }

    /** The kinds of this build, with the variants in a full build (-Pfull). */
    static Stream<StoreKind> all(boolean withH2, boolean withVariants) {
        return Stream.of(values())
                .filter(kind -> withH2 || kind != H2)
                .filter(kind -> FullBuild.IS_ON && withVariants || !VARIANTS.contains(kind));
    }
}
