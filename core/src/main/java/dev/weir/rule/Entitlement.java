package dev.weir.rule;

/** What an exception gives a caller: an allowance of its own, or a multiple of the usual one. */
public sealed interface Entitlement permits Allowance, Multiple {}
