package io.acidq.mybatis.store;

/**
 * H2, for development. Not run on it: the cases of {@link RealStoreConformance}. H2 has no snapshot at REPEATABLE READ that a locking read
 * could see past, no deadlock on shared locks after a duplicate key, no session timeouts, and nothing that tells when a session waits for
 * a lock; what these cases prove, it could only imitate.
 */
class H2StoreTest extends StoreConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.onH2();
    }
}
