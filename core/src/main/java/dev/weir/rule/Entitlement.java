package dev.weir.rule;

/** What an override grants a caller: its own allowance, or a multiple of the usual one. */
public sealed interface Entitlement permits Allowance, Multiple {}
