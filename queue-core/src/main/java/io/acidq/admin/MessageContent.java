package io.acidq.admin;

import java.util.Map;

/**
 * The payload and the headers of a message.
 *
 * @param type    the logical name of the payload's type
 * @param payload the encoded payload
 * @param headers the headers; empty when the stored text cannot be read
 */
public record MessageContent(String type, byte[] payload, Map<String, String> headers) {}
