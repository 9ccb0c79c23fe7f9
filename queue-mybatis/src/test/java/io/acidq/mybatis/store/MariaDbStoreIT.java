package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.Nested;

/** MariaDB with its own driver. */
class MariaDbStoreIT extends RealStoreConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.on(ServerKind.MARIADB, Driver.MARIADB, "", true);
    }

    @Nested
    class FrozenClaimer extends FrozenClaimerCases {
        @Override
        StoreHome home() {
            return MariaDbStoreIT.this.home();
        }
    }
}
