package dev.weir.rules.domain;

/**
 * One key and value of a descriptor.
 *
 * @param key as the client sends it
 * @param value as the client sends it; may be empty
 */
public record Entry(String key, String value) {}
