package io.acidq.chaos.broken;

import io.acidq.chaos.audit.Invariant;
import io.acidq.chaos.broken.WrongClaim.Fault;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.Store;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Wrong implementations of a queue, each with the scenario that reveals it and the invariant that it breaks. */
enum BrokenVariant {
    CLAIM_WITHOUT_LOCKING(claiming(Fault.NO_LOCK), FlawScenarios::twoNodesClaimAtOnce, Invariant.ONE_NODE_PER_CLAIM),
    CLAIM_BLIND_TO_ORDERING_KEYS(
            claiming(Fault.BLIND_TO_KEYS), FlawScenarios::theHeadOfAKeyStandsStill, Invariant.IN_ORDER),
    ACK_BY_ID_ALONE(
            () -> WrongStores::acknowledgingByIdAlone,
            FlawScenarios::aDeadNodeWakesWhileAnotherRunsItsMessage,
            Invariant.ENDED_BY_THE_LAST_CLAIM),
    FENCE_BY_CLAIM_NUMBER_WITHOUT_OWNER(
            () -> WrongStores::byNumberWithoutOwner,
            FlawScenarios::aDeadNodeWakesBeforeItsMessageIsClaimedAgain,
            Invariant.NOTHING_FROM_THE_DEAD),
    ACK_IN_A_SECOND_TRANSACTION(
            () -> WrongStores::inASecondTransaction,
            FlawScenarios::aNodeDiesAfterTheHandlersCommit,
            Invariant.ONE_EFFECT),
    ID_ABOVE_THE_LAST(
            claiming(Fault.BEHIND_THE_LAST), FlawScenarios::aTransactionCommitsLate, Invariant.COMMITTED_ENDS_ONCE),
    RESCUE_BY_ID(() -> WrongStores::rescuingById, FlawScenarios::aRescuerStandsStill, Invariant.ONE_LIVE_CLAIM),
    TWO_MOVERS(() -> WrongStores::movingBesideOthers, FlawScenarios::aMoverStandsStill, Invariant.IN_ORDER),
    LOW_WATER_ID_IN_AN_ORDERED_LANE(
            claiming(Fault.FROM_THE_LOW_WATER),
            FlawScenarios::aTransactionCommitsLateAndItsKeyGetsAFollower,
            Invariant.IN_ORDER),
    ATTEMPT_COUNTED_IN_THE_HANDLERS_TRANSACTION(
            () -> WrongStores::countingInTheHandlersTransaction,
            FlawScenarios::aHandlerFailsAlways,
            Invariant.ATTEMPTS_ARE_STARTS);

    final Supplier<Flaw> flaw;
    final FlawScenario flawScenario;
    final Invariant invariant;

    BrokenVariant(Supplier<Flaw> flaw, FlawScenario flawScenario, Invariant invariant) {
        this.flaw = flaw;
        this.flawScenario = flawScenario;
        this.invariant = invariant;
    }

    private static Supplier<Flaw> claiming(Fault fault) {
        return () -> {
            WrongClaim claim = new WrongClaim(fault);
            return (store, dataSource) -> {
                Sql sql = new Sql(dataSource);
                return PortProxy.withClaims(
                        store,
                        PortProxy.replaceMethod(
                                ClaimStore.class,
                                store.claims(),
                                "claimDue",
                                args -> claim.claim(sql, (ClaimRequest) args[0])));
            };
        };
    }

    /** Reveals a flaw. */
    interface FlawScenario {
        void run(ScenarioContext scenario) throws Exception;
    }

    /** A flaw of a store. All nodes of a scenario share one object and its state. */
    @FunctionalInterface
    interface Flaw {

        Flaw NONE = (store, dataSource) -> store;

        /**
         * Adds the flaw to a store.
         *
         * @param dataSource for wrong SQL, with the same pause points
         */
        Store over(Store store, DataSource dataSource);
    }
}
