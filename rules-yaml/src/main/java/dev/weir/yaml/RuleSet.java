package dev.weir.yaml;

import dev.weir.domain.DomainBook;
import dev.weir.http.HttpSettings;
import dev.weir.rule.RuleBook;
import java.util.List;

/**
 * What rules files say, once they are found to make sense.
 *
 * @param domains the limits by domain, of those who ask as Envoy does
 * @param version of the text, as {@link RulesLoader#version} has it
 * @param warnings what in it is doubtful
 */
public record RuleSet(
    RuleBook book, HttpSettings http, DomainBook domains, String version, List<Problem> warnings) {}
