package io.acidq.mybatis.store;

import io.acidq.store.Lane;
import io.acidq.store.WhyStore.NodeLook;
import io.acidq.store.WhyStore.Place;
import io.acidq.store.WhyStore.Table;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that tell where a message is. */
interface WhyMapper {

    List<PlaceRow> find(@Param("lane") Lane lane, @Param("uid") UUID uid);

    @Nullable
    PlaceRow closing(@Param("lane") Lane lane, @Param("id") long id, @Param("orderKey") String orderKey);

    int countBefore(@Param("lane") Lane lane, @Param("id") long id, @Param("most") int most);

    @Nullable
    NodeLook node(@Param("node") int node);

    @Nullable
    Integer isServed(@Param("pattern") String pattern);

    /**
     * A place as its row holds it.
     *
     * @param orderKey empty when there is none
     * @param due      1 or 0
     */
    record PlaceRow(
            Table place,
            long id,
            UUID uid,
            int owner,
            int claimNo,
            int attempts,
            int deaths,
            int kind,
            String orderKey,
            Instant dueAt,
            int due,
            String cause) {

        Place look() {
            return new Place(
                    place,
                    id,
                    uid,
                    owner,
                    claimNo,
                    attempts,
                    deaths,
                    kind,
                    orderKey.isEmpty() ? null : orderKey,
                    dueAt,
                    due == 1,
                    cause);
        }
    }
}
