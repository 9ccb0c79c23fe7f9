package io.acidq.test;

import io.acidq.MessageId;
import io.acidq.codec.Headers;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.store.Lane;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads, clears and ages the tables for tests, on the given connection. Thread-safe.
 */
final class TestTables {

    private final MyBatisSessions sessions = new MyBatisSessions(
            new UnpooledDataSource(), List.of("Fragments.xml", "TestKit.xml")); // never opens a connection

    /**
     * Returns the messages of all queues that are neither completed nor dead, in the order of enqueuing, without locking.
     *
     * @param names the name of each queue, by its number
     */
    List<EnqueuedMessage> messages(Connection connection, IntFunction<String> names) {
        return sessions
                .withSession(
                        connection,
                        "messages",
                        s -> s.getMapper(TestKitMapper.class).messages())
                .stream()
                .map(row -> toMessage(row, names.apply(row.queue())))
                .toList();
    }

    /** Returns the lanes with unclaimed rows. */
    List<Lane> lanes(Connection connection) {
        return sessions.withSession(
                connection, "lanes", s -> s.getMapper(TestKitMapper.class).lanesWithUnclaimedRows());
    }

    /** Returns the names of all queues by number. */
    Map<Integer, String> queues(Connection connection) {
        return sessions
                .withSession(
                        connection,
                        "queues",
                        s -> s.getMapper(TestKitMapper.class).queues())
                .stream()
                .collect(Collectors.toMap(TestKitMapper.NumberAndName::id, TestKitMapper.NumberAndName::name));
    }

    /** Makes all times in the tables older, in the transaction of the connection. */
    void age(Connection connection, Duration time) {
        long micros = TimeUnit.MICROSECONDS.convert(time.plusNanos(999));
        sessions.withSession(connection, "age", s -> {
            TestKitMapper mapper = s.getMapper(TestKitMapper.class);
            return mapper.ageMessage(micros)
                    + mapper.ageScheduled(micros)
                    + mapper.ageParked(micros)
                    + mapper.ageKey(micros)
                    + mapper.ageInbox(micros)
                    + mapper.ageDead(micros)
                    + mapper.ageCrash(micros)
                    + mapper.ageArchive(micros)
                    + mapper.ageReceipt(micros)
                    + mapper.ageRecurring(micros)
                    + mapper.ageTick(micros);
        });
    }

    /** Removes all messages, dead letters, keys, and the content of the inbox and the archive, in the transaction of the connection. */
    void clear(Connection connection) {
        sessions.withSession(connection, "clear", s -> {
            TestKitMapper mapper = s.getMapper(TestKitMapper.class);
            List<String> nonEmptyTables = mapper.nonEmptyTables(); // a DELETE locks the gaps of an empty table too
            nonEmptyTables.forEach(mapper::deleteAll);
            return nonEmptyTables;
        });
    }

    /** Returns the taken keys of the queues and the inbox. */
    Taken taken(Connection connection) {
        return sessions.withSession(connection, "taken", s -> {
            TestKitMapper mapper = s.getMapper(TestKitMapper.class);
            return new Taken(Set.copyOf(mapper.keyHolders()), Set.copyOf(mapper.inboxKeyHolders()));
        });
    }

    /** Frees the keys that were taken since then, in the transaction of the connection. */
    void free(Connection connection, Taken before) {
        Taken now = taken(connection);
        Set<UUID> holders = new HashSet<>(now.holders());
        holders.removeAll(before.holders());
        Set<Long> inboxHolders = new HashSet<>(now.inboxHolders());
        inboxHolders.removeAll(before.inboxHolders());
        sessions.withSession(connection, "free", s -> {
            TestKitMapper mapper = s.getMapper(TestKitMapper.class);
            return (holders.isEmpty() ? 0 : mapper.deleteKeysHeldBy(holders))
                    + (inboxHolders.isEmpty() ? 0 : mapper.deleteInboxKeysHeldBy(inboxHolders));
        });
    }

    private static EnqueuedMessage toMessage(TestKitMapper.Row row, String queue) {
        return new EnqueuedMessage(
                new MessageId(queue, row.lane(), row.uid()),
                Optional.ofNullable(row.key()),
                row.orderingKey().isEmpty() ? Optional.empty() : Optional.of(row.orderingKey()),
                row.type(),
                Headers.readable(row.headers()),
                row.payload(),
                row.attempts(),
                row.enqueuedAt(),
                row.dueAt(),
                Duration.of(row.dueIn(), ChronoUnit.MICROS));
    }

    /**
     * The taken keys.
     *
     * @param holders      the messages that hold the keys of queues
     * @param inboxHolders the calls that hold the keys of the inbox
     */
    record Taken(Set<UUID> holders, Set<Long> inboxHolders) {}

    /** Statements that only tests of applications need. */
    interface TestKitMapper {

        List<Row> messages();

        List<Lane> lanesWithUnclaimedRows();

        List<NumberAndName> queues();

        List<UUID> keyHolders();

        List<Long> inboxKeyHolders();

        int deleteKeysHeldBy(@Param("holders") Collection<UUID> holders);

        int deleteInboxKeysHeldBy(@Param("inboxHolders") Collection<Long> inboxHolders);

        List<String> nonEmptyTables();

        int deleteAll(@Param("table") String table);

        int ageMessage(@Param("micros") long micros);

        int ageScheduled(@Param("micros") long micros);

        int ageParked(@Param("micros") long micros);

        int ageKey(@Param("micros") long micros);

        int ageInbox(@Param("micros") long micros);

        int ageDead(@Param("micros") long micros);

        int ageCrash(@Param("micros") long micros);

        int ageArchive(@Param("micros") long micros);

        int ageReceipt(@Param("micros") long micros);

        int ageRecurring(@Param("micros") long micros);

        int ageTick(@Param("micros") long micros);

        /** A queue. */
        record NumberAndName(int id, String name) {}

        /** A message that is not done, as its row holds it. */
        record Row(
                int queue,
                int lane,
                UUID uid,
                @Nullable String key,
                String orderingKey,
                String type,
                String headers,
                byte[] payload,
                int attempts,
                Instant enqueuedAt,
                Instant dueAt,
                long dueIn) {}
    }
}
