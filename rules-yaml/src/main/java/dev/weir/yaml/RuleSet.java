package dev.weir.yaml;

import dev.weir.http.HttpSettings;
import dev.weir.rule.RuleBook;
import java.util.List;

/**
 * What rules files say, once they are found to make sense.
 *
 * @param version tells one text from another
 * @param warnings what in it is doubtful
 */
public record RuleSet(RuleBook book, HttpSettings http, String version, List<Problem> warnings) {}
