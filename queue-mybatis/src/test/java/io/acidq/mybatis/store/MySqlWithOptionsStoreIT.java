package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.testservers.ServerKind;

/** MySQL with the options of the driver that change counts, batches and prepares, and a pool without autocommit. */
class MySqlWithOptionsStoreIT extends RealStoreConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.on(
                ServerKind.MYSQL,
                Driver.CONNECTOR_J,
                "&useAffectedRows=true&rewriteBatchedStatements=true&useServerPrepStmts=true&cachePrepStmts=true",
                false);
    }
}
