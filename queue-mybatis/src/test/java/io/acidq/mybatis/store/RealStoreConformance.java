package io.acidq.mybatis.store;

import io.acidq.mybatis.OneServerAtATime;
import org.junit.jupiter.api.Nested;

/** What only a real server can show: two transactions that meet at one row, and the settings of sessions. */
@OneServerAtATime
abstract class RealStoreConformance extends StoreConformance {

    @Nested
    class TakeKeyRace extends TakeKeyRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class FreeKey extends FreeKeyCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class TakeKeysRace extends TakeKeysRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class LockKeysRace extends LockKeysRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class ClaimDueRace extends ClaimDueRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class StrategyRace extends StrategyRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class EndRace extends EndRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class MoveDueRace extends MoveDueRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class ReplayRace extends ReplayRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class HeadDiesRace extends HeadDeathRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class Session extends SessionCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class Transactions extends JdbcTransactionsCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class Stay extends StayCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }

    @Nested
    class InboxRace extends InboxRaceCases {
        @Override
        StoreHome home() {
            return RealStoreConformance.this.home();
        }
    }
}
