package dev.weir.domain;

/** A key and its value, as a client of the service has them in a descriptor. */
public record Entry(String key, String value) {}
