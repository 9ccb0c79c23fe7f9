package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.testservers.ServerKind;

/** Plans over dead letters on MariaDB. */
class MariaDbDeadLetterPlanIT extends DeadLetterPlanConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.on(ServerKind.MARIADB, Driver.MARIADB, "", true);
    }
}
