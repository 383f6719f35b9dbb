package dev.weir.yaml;

import dev.weir.Descriptor;
import dev.weir.http.HttpReader;
import dev.weir.http.HttpRequest;
import dev.weir.http.Reading;
import dev.weir.rule.Match;
import dev.weir.rule.RuleBook;
import dev.weir.rule.ValueReaders;

/**
 * One version of the rules, ready for requests. A request is read and matched by the same version;
 * take it once from {@link RulesInForce#current()}.
 */
public final class LiveRules {
  private final RuleSet rules;
  private final HttpReader reader;
  private final ValueReaders tokenReaders;

  LiveRules(RuleSet rules, HttpReader reader) {
    this.rules = rules;
    this.reader = reader;
    this.tokenReaders = rules.book().readersOf(HttpReader::isClaim);
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

  /** Reads a request, and leaves it open whether a token that is new to us holds. */
  public Reading read(HttpRequest request) {
    return reader.open(request);
  }

  /**
   * Whether the token of a request must be verified before it is matched: a rule reads a claim of
   * it, and applies as far as its other conditions go.
   */
  public boolean needsVerification(Reading reading) {
    return reading.isUnverified() && tokenReaders.mayApply(reading.values());
  }

  /**
   * The claims of a request, in which {@code permit} names it among those in flight or is 0. If a
   * token must be verified for that, this thread does it: not for event loops, which ask {@link
   * #needsVerification}.
   */
  public Match match(HttpRequest request, long permit) {
    Reading reading = read(request);
    Descriptor values = needsVerification(reading) ? reading.verify() : reading.values();
    return rules.book().match(values, permit);
  }
}
