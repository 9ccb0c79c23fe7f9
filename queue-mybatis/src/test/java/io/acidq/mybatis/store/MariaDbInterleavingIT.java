package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.testservers.ServerKind;

class MariaDbInterleavingIT extends InterleavingConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.on(ServerKind.MARIADB, Driver.MARIADB, "", true);
    }
}
