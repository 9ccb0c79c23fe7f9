package io.acidq.mybatis.store;

import io.acidq.store.InspectionStore.MessageLocation;
import io.acidq.store.InspectionStore.NodeSummary;
import io.acidq.store.Lane;
import java.util.List;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements that tell where a message is. */
interface DiagnosisMapper {

    List<MessageLocation> find(@Param("lane") Lane lane, @Param("uid") UUID uid);

    @Nullable
    MessageLocation findBlocking(@Param("lane") Lane lane, @Param("id") long id, @Param("orderKey") String orderKey);

    int countBefore(@Param("lane") Lane lane, @Param("id") long id, @Param("most") int most);

    @Nullable
    NodeSummary node(@Param("node") int node);

    @Nullable
    Integer isServed(@Param("pattern") String pattern);
}
