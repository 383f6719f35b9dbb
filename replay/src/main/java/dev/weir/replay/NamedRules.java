package dev.weir.replay;

import dev.weir.rules.RuleSet;

/**
 * A rule set with the name of its file.
 *
 * @param name for reports
 * @param rules what to replay
 */
public record NamedRules(String name, RuleSet rules) {}
