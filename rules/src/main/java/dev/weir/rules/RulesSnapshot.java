package dev.weir.rules;

import dev.weir.Descriptor;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.RequestValues;
import dev.weir.http.request.HttpRequest;
import dev.weir.rule.ResponseCost;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.book.ValueReaders;
import dev.weir.rules.action.AdjustedRules;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.gateway.PriorityTable;
import dev.weir.rules.gateway.RouteTable;
import dev.weir.rules.gateway.SheddingSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One version of the rules, compiled for requests. Thread-safe.
 *
 * <p>A request must be read and matched by the same version: call {@link ActiveRules#current()}
 * once per request.
 */
public final class RulesSnapshot {
  private final RuleSet rules;
  private final HttpReader reader;
  private final ValueReaders tokenReaders;
  private final ValueReaders modelReaders;
  private final DescriptorRules descriptorRules;
  private final RouteTable routes;
  private final PriorityTable priorities;
  private final Map<String, RuleBook> calls;
  private final AdjustedRules adjusted;

  /** The same version without adjustments; null if this one has none. */
  private final @Nullable RulesSnapshot base;

  RulesSnapshot(RuleSet rules, HttpReader reader) {
    this.rules = rules;
    this.reader = reader;
    this.adjusted = AdjustedRules.none(rules.book(), rules.domains());
    this.base = null;
    this.tokenReaders = rules.book().readersOf(HttpReader::isClaim);
    this.modelReaders = rules.book().readersOf(ResponseCost.MODEL::equals);
    this.descriptorRules = DescriptorRules.of(rules.domains(), rules.book());
    this.routes = RouteTable.of(rules.gateway(), rules.book().names());
    this.priorities =
        PriorityTable.of(
            rules.gateway().shedding().map(SheddingSettings::priorities).orElse(List.of()),
            rules.book().names());
    Map<String, RuleBook> books = new LinkedHashMap<>();
    rules.calls().forEach(one -> books.put(one.name(), rules.book().withRules(List.of(one))));
    this.calls = Collections.unmodifiableMap(books);
  }

  /** The same version with adjustments: it reads the same values of requests. */
  private RulesSnapshot(RulesSnapshot base, AdjustedRules adjusted) {
    this.rules = base.rules.with(adjusted.book(), adjusted.domains());
    this.reader = base.reader;
    this.tokenReaders = base.tokenReaders;
    this.modelReaders = base.modelReaders;
    this.descriptorRules = DescriptorRules.of(adjusted.domains(), adjusted.book());
    this.routes = base.routes;
    this.priorities = base.priorities;
    this.calls = base.calls;
    this.adjusted = adjusted;
    this.base = base;
  }

  /** This version, which has no adjustments, with these; the oldest comes first. */
  RulesSnapshot adjusted(List<Adjustment> adjustments) {
    return adjustments.isEmpty()
        ? this
        : new RulesSnapshot(this, AdjustedRules.of(rules.book(), rules.domains(), adjustments));
  }

  /** A snapshot outside of a registry, on the system clock. */
  public static RulesSnapshot of(RuleSet rules) {
    return new RulesSnapshot(rules, new HttpReader(rules.http(), rules.book().names()));
  }

  /** This version as its text has it, without adjustments. */
  public RulesSnapshot unadjusted() {
    return base == null ? this : base;
  }

  /** What actions of operators do to these rules. */
  public AdjustedRules adjustments() {
    return adjusted;
  }

  /** The rules as loaded, with the adjustments. */
  public RuleSet rules() {
    return rules;
  }

  /** The compiled rules. */
  public RuleBook book() {
    return rules.book();
  }

  /**
   * The limit that code asks for by this name, as a book of one rule, whose callers are identified
   * by the value {@code key}; empty if these rules have no call of this name.
   */
  public Optional<RuleBook> call(String name) {
    return Optional.ofNullable(calls.get(name));
  }

  /** The names of all calls, in the order of the files. */
  public Set<String> callNames() {
    return calls.keySet();
  }

  /** The rules that apply to descriptors of Envoy's rate limit service. */
  public DescriptorRules descriptorRules() {
    return descriptorRules;
  }

  /** The routes of requests to upstreams. */
  public RouteTable routes() {
    return routes;
  }

  /** The priorities of requests, by which they are shed. */
  public PriorityTable priorities() {
    return priorities;
  }

  /** The same rules with other domains. */
  public RulesSnapshot withDomains(DomainBook domains) {
    return new RulesSnapshot(rules.with(rules.book(), domains), reader);
  }

  /** Reads requests as these rules need them. */
  public HttpReader reader() {
    return reader;
  }

  /** The version of the text. */
  public String version() {
    return rules.version();
  }

  /** Reads a request without verifying a token that is not in the cache; never blocks. */
  public RequestValues read(HttpRequest request) {
    return reader.open(request);
  }

  /**
   * Whether the token of a request must be verified before matching: a rule reads one of its
   * claims, and the rule's other conditions hold.
   */
  public boolean needsVerification(RequestValues request) {
    return request.isUnverified() && tokenReaders.mayApply(request.values());
  }

  /**
   * Whether a gateway must read the body of a request before matching: a rule needs the model or
   * estimates the usage of a language model, and the rule's other conditions hold.
   */
  public boolean needsModel(Descriptor values) {
    return modelReaders.mayApply(values);
  }

  /**
   * Whether any rule reads {@code principal}. If so, these rules apply to a request after the
   * application has authenticated its user.
   */
  public boolean readsPrincipal() {
    return rules.book().names().contains(HttpReader.PRINCIPAL);
  }

  /**
   * Matches a request. Verifies its token on the calling thread if needed; event loops call {@link
   * #needsVerification} instead.
   *
   * @param permit names this request among those in flight; 0 if it holds no permit
   */
  public Match match(HttpRequest request, long permit) {
    RequestValues read = read(request);
    Descriptor values = needsVerification(read) ? read.verify() : read.values();
    return rules.book().match(values, permit);
  }
}
