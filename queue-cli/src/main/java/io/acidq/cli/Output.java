package io.acidq.cli;

import java.io.PrintWriter;
import java.util.List;

/** Where a command writes: either for people or as one JSON value. */
record Output(PrintWriter out, boolean json) {

    void line(String text) {
        if (!json) {
            out.println(text);
        }
    }

    void table(List<String> head, List<List<String>> rows) {
        if (!json) {
            Text.table(head, rows).forEach(out::println);
        }
    }

    void json(Object value) {
        if (json) {
            out.println(Json.indented(value));
        }
        out.flush();
    }
}
