package io.acidq.dashboard;

import java.util.Map;

/**
 * A response, which an adapter writes as it is.
 *
 * @param status  the status of HTTP
 * @param headers the headers
 * @param body    the body; empty for none
 */
public record DashboardResponse(int status, Map<String, String> headers, byte[] body) {

    public DashboardResponse {
        headers = Map.copyOf(headers);
    }
}
