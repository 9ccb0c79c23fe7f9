package io.acidq.mybatis.store;

import io.acidq.store.Lane;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that remove old rows. */
interface RetentionMapper {

    List<InboxKey> lockExpiredInbox(@Param("limit") int limit);

    int deleteInbox(InboxKey row);

    List<ExpiredKey> lockExpiredKeys(@Param("after") @Nullable ExpiredKey after, @Param("limit") int limit);

    List<UUID> living(@Param("lanes") Collection<Lane> lanes, @Param("uids") List<UUID> uids);

    int deleteKey(ExpiredKey row);

    /** The primary key of a row of the inbox. */
    record InboxKey(String consumer, String key) {}

    /** A message key whose window has ended, and the message that holds it. */
    record ExpiredKey(int queue, String key, UUID uid, int lane, Instant expires) {}
}
