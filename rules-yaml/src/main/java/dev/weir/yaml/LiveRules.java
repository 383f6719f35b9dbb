package dev.weir.yaml;

import dev.weir.http.HttpReader;
import dev.weir.http.HttpRequest;
import dev.weir.rule.Match;
import dev.weir.rule.RuleBook;

/**
 * One version of the rules, ready for requests. A request is read and matched by the same version;
 * take it once from {@link RulesInForce#current()}.
 */
public final class LiveRules {
  private final RuleSet rules;
  private final HttpReader reader;

  LiveRules(RuleSet rules, HttpReader reader) {
    this.rules = rules;
    this.reader = reader;
  }

  /** Rules that never change, read by the time of this machine. */
  public static LiveRules of(RuleSet rules) {
    return new LiveRules(rules, new HttpReader(rules.http(), rules.book().names()));
  }

  public RuleSet rules() {
    return rules;
  }

  public RuleBook book() {
    return rules.book();
  }

  public HttpReader reader() {
    return reader;
  }

  public String version() {
    return rules.version();
  }

  /** The claims of a request, in which {@code permit} names it among those in flight or is 0. */
  public Match match(HttpRequest request, long permit) {
    return rules.book().match(reader.read(request), permit);
  }
}
