package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.testservers.ServerKind;

class MariaDbParkedPlanIT extends ParkedPlanConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.on(ServerKind.MARIADB, Driver.MARIADB, "", true);
    }
}
