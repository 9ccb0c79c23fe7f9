package io.acidq.mybatis.store;

import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on the server's commits. */
interface CommitMapper {

    @Nullable
    Executed executed();

    Awaited await(@Param("gtid") String gtid, @Param("seconds") long seconds);

    /**
     * What the server has executed.
     *
     * @param numbered whether it numbers transactions, 1 or 0
     * @param server   its own name in their numbers
     * @param gtids    the set of all
     */
    record Executed(int numbered, String server, String gtids) {}

    /**
     * How a wait ended.
     *
     * @param inVain whether the time was over, 1 or 0
     * @param server the server's own name in the numbers
     * @param gtids  the set of all that it has executed by then
     */
    record Awaited(int inVain, String server, String gtids) {}
}
