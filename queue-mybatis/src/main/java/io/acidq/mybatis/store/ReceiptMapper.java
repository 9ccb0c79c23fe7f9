package io.acidq.mybatis.store;

import io.acidq.Receipt;
import io.acidq.store.ReceiptStore.ReceiptRow;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on the table of receipts, in {@code Receipts.xml}. */
interface ReceiptMapper {

    int end(@Param("uids") Collection<UUID> uids, @Param("state") Receipt.State state);

    int reopen(@Param("uids") Collection<UUID> uids);

    int expire(@Param("uids") Collection<UUID> uids);

    Receipt.@Nullable State lockShared(@Param("uid") UUID uid);

    boolean removedUpTo(@Param("uid") UUID uid);

    @Nullable
    ReceiptRow find(@Param("uid") UUID uid);

    List<UUID> lockExpired(@Param("limit") int limit);

    int delete(@Param("uid") UUID uid);

    int mark(@Param("uid") UUID uid);
}
