package dev.weir.rules;

import dev.weir.http.identity.HttpSettings;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.gateway.GatewaySettings;
import dev.weir.rules.yaml.Problem;
import java.util.List;

/**
 * The content of valid rules files. Immutable.
 *
 * @param book the rules for requests
 * @param calls the limits that code asks for by name, in order; each counts by the value {@code
 *     key}
 * @param http how requests are read
 * @param domains the limits by domain, for clients of Envoy's rate limit service
 * @param gateway where requests go, and which are shed
 * @param version of the text, see {@link RulesLoader#version}
 * @param warnings about it
 */
public record RuleSet(
    RuleBook book,
    List<Rule> calls,
    HttpSettings http,
    DomainBook domains,
    GatewaySettings gateway,
    String version,
    List<Problem> warnings) {

  /** The same content with other limits. */
  RuleSet with(RuleBook otherBook, DomainBook otherDomains) {
    return new RuleSet(otherBook, calls, http, otherDomains, gateway, version, warnings);
  }
}
