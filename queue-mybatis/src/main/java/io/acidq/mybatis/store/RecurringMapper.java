package io.acidq.mybatis.store;

import io.acidq.admin.RecurringMessages.TickResult;
import io.acidq.store.RecurringStore.Advance;
import io.acidq.store.RecurringStore.DueName;
import io.acidq.store.RecurringStore.NextDue;
import io.acidq.store.RecurringStore.StoredRecurring;
import io.acidq.store.RecurringStore.TickRow;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on the tables of recurring messages and of their ticks, in {@code Recurring.xml}. */
interface RecurringMapper {

    @Nullable
    NextDue nextDue(@Param("except") Collection<String> except);

    List<DueName> due(@Param("limit") int limit);

    List<StoredRecurring> lockDue(@Param("names") Collection<String> names);

    @Nullable
    StoredRecurring lock(@Param("name") String name);

    @Nullable
    StoredRecurring find(@Param("name") String name);

    List<StoredRecurring> list(@Param("pattern") String pattern, @Param("limit") int limit);

    Instant now();

    int insert(NewRecurring row);

    int update(NewRecurring row);

    int setPaused(@Param("name") String name, @Param("paused") boolean paused);

    int remove(@Param("name") String name);

    int advance(Advance row);

    boolean hasNotEnded(@Param("queue") int queue, @Param("lane") int lane, @Param("uid") UUID uid);

    int insertTicks(@Param("ticks") List<TickRow> ticks);

    int insertAudit(
            @Param("actor") String actor,
            @Param("action") String action,
            @Param("queue") int queue,
            @Param("reason") String reason,
            @Param("detail") String detail);

    List<TickEntryRow> ticks(@Param("name") String name, @Param("limit") int limit);

    List<OldTick> lockOldTicks(@Param("agoMicros") long agoMicros, @Param("limit") int limit);

    int deleteTick(OldTick tick);

    /** A recurring message as parameters of a statement. */
    record NewRecurring(
            String name,
            String destination,
            boolean toTopic,
            String schedule,
            String zone,
            String misfire,
            long graceMicros,
            boolean skipOverlap,
            @Nullable Long ttlMicros,
            long spreadMicros,
            @Nullable Instant nextAt,
            @Nullable String declared,
            String orderingKey,
            String type,
            String headers,
            int size,
            byte[] payload) {

        static NewRecurring of(StoredRecurring row) {
            return new NewRecurring(
                    row.name(),
                    row.destination(),
                    row.toTopic(),
                    row.schedule(),
                    row.zone(),
                    row.misfire(),
                    row.graceMicros(),
                    row.skipOverlap(),
                    row.ttlMicros(),
                    row.spreadMicros(),
                    row.nextAt(),
                    row.declared(),
                    row.orderingKey(),
                    row.type(),
                    row.headers(),
                    row.payload().length,
                    row.payload());
        }
    }

    /** A recorded tick. */
    record TickEntryRow(
            String name,
            Instant tickAt,
            TickResult result,
            int missed,
            @Nullable UUID uid,
            Instant doneAt) {}

    /** The primary key of a recorded tick. */
    record OldTick(String name, Instant tickAt) {}
}
