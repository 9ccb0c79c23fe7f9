package io.acidq.mybatis.store;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What every store must do, by the method of the port; races with open transactions are in {@link RealStoreConformance}. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class StoreConformance {

    private StoreHome home;

    abstract StoreHome openHome();

    @BeforeAll
    void open() {
        home = openHome();
    }

    @AfterAll
    void close() {
        home.close();
    }

    StoreHome home() {
        return home;
    }

    @Nested
    class OpenQueue extends OpenQueueCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Insert extends InsertCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class TakeKey extends TakeKeyCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class TakeKeys extends TakeKeysCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class LockKeys extends LockKeysCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class ClaimDue extends ClaimDueCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class DirectClaim extends DirectClaimCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Strategy extends StrategyCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class End extends EndCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Node extends NodeCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class MoveDue extends MoveDueCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Dead extends DeadLetterCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Replay extends ReplayCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class HeadDies extends HeadDeathCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Spill extends SpillCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Inbox extends InboxCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Ageing extends AgeingCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Retention extends RetentionCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Pause extends PauseCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Backlog extends BacklogCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Why extends WhyCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Browse extends BrowseCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }

    @Nested
    class Checkup extends CheckupCases {
        @Override
        StoreHome home() {
            return StoreConformance.this.home();
        }
    }
}
