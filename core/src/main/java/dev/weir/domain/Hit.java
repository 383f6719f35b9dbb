package dev.weir.domain;

import java.util.List;

/**
 * What a descriptor of a request leads to.
 *
 * @param counted what the counter is kept under: for each entry its key and its value, or the
 *     pattern that shares one counter among all values it fits
 * @param metric what metrics are kept under, without the domain: as {@code key_value.key}
 */
public record Hit(DomainRule rule, List<Entry> counted, String metric) {}
