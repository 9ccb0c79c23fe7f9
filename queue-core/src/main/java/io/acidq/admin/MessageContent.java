package io.acidq.admin;

import java.util.Map;

/**
 * What a message carries.
 *
 * @param type    the logical name of the payload's type
 * @param payload the encoded payload
 * @param headers the headers; empty when those in the row can not be read
 */
public record MessageContent(String type, byte[] payload, Map<String, String> headers) {}
