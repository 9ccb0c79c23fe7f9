package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.WhyMapper.PlaceRow;
import io.acidq.store.Lane;
import io.acidq.store.WhyStore;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where a message is, and what stands before it. */
public final class MyBatisWhyStore implements WhyStore {

    private final StoreTransactions transactions;

    public MyBatisWhyStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Optional<Place> find(Lane lane, UUID uid) {
        return transactions.once(
                "find",
                t -> t.mapper(WhyMapper.class).find(lane, uid).stream()
                        .map(PlaceRow::look)
                        .findFirst());
    }

    @Override
    public Optional<Place> closing(Lane lane, Place place) {
        String key = place.orderKey();
        if (key == null) {
            return Optional.empty();
        }
        PlaceRow row = transactions.<@Nullable PlaceRow>once(
                "closing", t -> t.mapper(WhyMapper.class).closing(lane, place.id(), key));
        return Optional.ofNullable(row).map(PlaceRow::look);
    }

    @Override
    public int countBefore(Lane lane, long id, int most) {
        return transactions.once("countBefore", t -> t.mapper(WhyMapper.class).countBefore(lane, id, most));
    }

    @Override
    public Optional<NodeLook> node(int node) {
        return Optional.ofNullable(transactions.<@Nullable NodeLook>once(
                "node", t -> t.mapper(WhyMapper.class).node(node)));
    }

    @Override
    public boolean isServed(int queue) {
        String pattern = "%," + queue + ":%"; // as Workers writes it, with a comma before it
        return transactions.once("isServed", t -> t.mapper(WhyMapper.class).isServed(pattern) != null);
    }
}
