package io.acidq.mybatis.guilty.one;

import io.acidq.config.EngineConfig;
import io.acidq.mybatis.guilty.two.Two;

/** Part of a cycle; uses the engine, Spring and the wall clock. */
public class One {
    public Two two = new Two();
    public EngineConfig config = EngineConfig.defaults();
    public boolean text = org.springframework.util.StringUtils.hasText("x");
    public long now = System.currentTimeMillis();
}
