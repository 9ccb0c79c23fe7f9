package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.AuditEntry;
import io.acidq.mybatis.store.QueueMapper.QueueStateChange;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over what operators have done. */
interface AuditMapper {

    int insertBulk(NewBulk bulk);

    int updateBulk(@Param("id") long id, @Param("detail") String detail);

    int insertOfQueue(QueueStateChange change);

    int insertLetters(NewLetters entry);

    List<AuditRow> of(@Param("uid") UUID uid);

    List<AuditRow> recent(@Param("limit") int limit);

    /**
     * Letters that are acted on.
     *
     * @param more what is added to the detail of each
     */
    record NewLetters(String actor, String action, String reason, long bulk, List<Letter> letters, String more) {}

    /** A bulk action to be inserted; the database writes its number into it. */
    final class NewBulk {

        final String actor;
        final String action;
        final int queue;
        final String filter;
        final String reason;
        final String detail;
        long id;

        NewBulk(OperatorAction operatorAction, String action, BulkProgress bulkProgress, String detail) {
            this.actor = operatorAction.actor();
            this.action = action;
            this.queue = bulkProgress.queue();
            this.filter = bulkProgress.filter();
            this.reason = operatorAction.reason();
            this.detail = detail;
        }
    }

    /** An entry as its row holds it. */
    record AuditRow(
            long id,
            Instant at,
            String actor,
            String action,
            String queue,
            int lane,
            @Nullable UUID uid,
            long bulk,
            String filter,
            String reason,
            String detail) {

        AuditEntry toEntry() {
            return new AuditEntry(
                    id,
                    at,
                    actor,
                    action,
                    queue,
                    uid == null ? Optional.empty() : Optional.of(new MessageId(queue, lane, uid)),
                    bulk == 0 ? OptionalLong.empty() : OptionalLong.of(bulk),
                    filter,
                    reason,
                    detail);
        }
    }
}
