package io.acidq.mybatis.store;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over followers of closed ordering keys that are set aside. */
interface ParkedMapper {

    List<Follower> followers(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("before") long before,
            @Param("keys") Collection<String> keys,
            @Param("limit") int limit);

    @Nullable
    Integer hasMore(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("keys") Collection<String> keys,
            @Param("than") int than);

    int copyToParked(@Param("queue") int queue, @Param("lane") int lane, @Param("ids") List<Long> ids);

    int deleteFollowers(@Param("queue") int queue, @Param("lane") int lane, @Param("ids") List<Long> ids);

    int makeMarker(@Param("queue") int queue, @Param("lane") int lane, @Param("id") long id);

    @Nullable
    Long firstParked(@Param("queue") int queue, @Param("key") String key);

    List<Follower> parked(@Param("queue") int queue, @Param("key") String key, @Param("limit") int limit);

    int deleteMarker(@Param("queue") int queue, @Param("lane") int lane, @Param("id") long id);

    int copyBack(@Param("queue") int queue, @Param("key") String key, @Param("ids") List<Long> ids);

    int deleteParked(@Param("queue") int queue, @Param("key") String key, @Param("ids") List<Long> ids);

    int insertMarker(@Param("queue") int queue, @Param("key") String key, @Param("id") long id);

    int waiting(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("id") long id,
            @Param("key") String key,
            @Param("limit") int limit);

    /** A message by its place, without what is large. */
    record Follower(long id, String orderKey, int size) {}
}
