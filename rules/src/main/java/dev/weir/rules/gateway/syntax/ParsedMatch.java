package dev.weir.rules.gateway.syntax;

import dev.weir.rule.condition.Condition;
import dev.weir.rules.yaml.Section;
import java.util.List;

/**
 * The conditions of a route or a priority, for checks that need locations.
 *
 * @param match without invalid conditions
 * @param section that they were read from
 * @param sound whether the section has no errors
 */
record ParsedMatch(List<Condition> match, Section section, boolean sound) {}
