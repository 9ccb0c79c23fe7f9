package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.testservers.ServerKind;

/** MariaDB with MySQL’s driver, which calls the server MySQL. */
class MariaDbByConnectorJStoreIT extends RealStoreConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.on(
                ServerKind.MARIADB, Driver.CONNECTOR_J, "&useAffectedRows=true&rewriteBatchedStatements=true", true);
    }
}
