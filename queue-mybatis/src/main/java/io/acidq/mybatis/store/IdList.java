package io.acidq.mybatis.store;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Numbers of rows as they stand behind IN in a statement. As text, since a parameter of its own for each of a hundred costs more than all the
 * rest of a claim in this process (measured); being numbers, they bring in nothing else.
 */
record IdList(List<Long> ids) {

    @Override
    public String toString() {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"));
    }
}
