package io.acidq.mybatis.store;

import io.acidq.HeadDeath;
import io.acidq.store.Claim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The ends of claims, as steps of a short transaction that the caller has begun. */
final class Ends {

    private final EndMapper mapper;

    Ends(EndMapper mapper) {
        this.mapper = mapper;
    }

    /** In its place; uncounted is how many of its attempts are given back. */
    boolean retryInPlace(Claim claim, long delayMicros, int uncounted) {
        return mapper.retryInPlace(claim, delayMicros, uncounted) == 1;
    }

    /** False when the claim was lost; the transaction must then be rolled back. */
    boolean schedule(Claim claim, long delayMicros, int uncounted) {
        return mapper.copyToScheduled(claim, delayMicros, uncounted) == 1 && mapper.deleteIfClaimed(claim) == 1;
    }

    /** False when the claim was lost; the transaction must then be rolled back. */
    boolean bury(Claim claim, Mark mark) {
        HeadDeath policy = mapper.onHeadDeath(claim);
        if (policy == null) {
            return false;
        }
        int marker = HeadRow.holdMarker(policy);
        long heldId = marker == HeadRow.MESSAGE ? 0 : claim.id();
        return mapper.copyToDead(claim, heldId, mark.text(), mark.fingerprint()) == 1
                && (heldId == 0 ? mapper.deleteIfClaimed(claim) : mapper.holdPlace(claim, marker)) == 1;
    }

    boolean delete(Claim claim) {
        return mapper.deleteIfClaimed(claim) == 1;
    }

    boolean free(Claim claim, int deaths) {
        return mapper.countDeathIfClaimed(claim, deaths, true) == 1;
    }

    boolean countDeath(Claim claim, int deaths) {
        return mapper.countDeathIfClaimed(claim, deaths, false) == 1;
    }

    int giveBack(Collection<Claim> claims, long delayMicros) {
        return lock(claims).stream()
                .mapToInt(c -> mapper.giveBackIfClaimed(c, delayMicros))
                .sum();
    }

    /** Those of the claims that still stand so, in order of the primary key, locked now; what others have locked is left out. */
    List<Claim> lock(Collection<Claim> claims) {
        List<Claim> locked = new ArrayList<>();
        ClaimPieces.of(claims).forEach(piece -> locked.addAll(lockInLane(piece)));
        return locked;
    }

    private List<Claim> lockInLane(List<Claim> piece) {
        Claim first = piece.get(0);
        List<Claim> held = mapper.lockHeld(
                first.queue(),
                first.lane(),
                new Ids(piece.stream().map(Claim::id).toList()));
        return piece.stream().filter(held::contains).toList();
    }
}
