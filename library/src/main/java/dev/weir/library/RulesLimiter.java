package dev.weir.library;

import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.http.identity.RequestValues;
import dev.weir.http.request.HttpRequest;
import dev.weir.internal.Rejections;
import dev.weir.library.internal.Arguments;
import dev.weir.library.internal.CallBook;
import dev.weir.library.internal.RuleSelection;
import dev.weir.library.limits.CallerLimitCache;
import dev.weir.library.limits.LimitSource;
import dev.weir.library.limits.LimitSourceRules;
import dev.weir.library.status.RuleState;
import dev.weir.library.status.RuleStates;
import dev.weir.library.web.Admission;
import dev.weir.library.web.HeldPermits;
import dev.weir.rule.CallerLimits;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.ActiveRules;
import dev.weir.rules.RulesSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits requests by a rules file, exactly as {@code weir serve} does: the same canonical paths,
 * the same identities, the same counters. Limits that code asks for by name are {@link #limiter}
 * and {@link #concurrency}. Changes of the file become active within a second.
 *
 * <p>Make one with {@link Weir#rules}. Safe for use by any number of threads.
 */
public final class RulesLimiter {
  private final Engine engine;
  private final ActiveRules rules;
  private final Admissions admissions;
  private final RuleSelection selection;
  private final @Nullable CallerLimitCache limits;
  private final Map<String, RateLimiter> limiters = new ConcurrentHashMap<>();
  private final Map<String, ConcurrencyLimiter> concurrency = new ConcurrentHashMap<>();

  RulesLimiter(Engine engine, ActiveRules rules) {
    this.engine = engine;
    this.rules = rules;
    this.admissions = new Admissions(engine);
    this.selection = RuleSelection.ALL;
    this.limits = null;
  }

  private RulesLimiter(
      RulesLimiter same, RuleSelection selection, @Nullable CallerLimitCache limits) {
    this.engine = same.engine;
    this.rules = same.rules;
    this.admissions = same.admissions;
    this.selection = selection;
    this.limits = limits;
  }

  /**
   * Decides about a request, and charges it if it may pass.
   *
   * @throws IllegalArgumentException if the request is null
   * @throws IllegalStateException if the {@link Weir} is closed
   */
  public RateLimitDecision check(HttpRequest request) {
    return engine.take(match(request, 0));
  }

  /** {@link #check} without waiting for the store. A token is verified on the calling thread. */
  public CompletableFuture<RateLimitDecision> checkAsync(HttpRequest request) {
    RulesSnapshot current = rules.current();
    CompletableFuture<Match> match =
        matchAsync(selection.book(current), values(current, request), 0);
    return match.isDone() ? engine.takeAsync(match.join()) : engine.takeAsync(match);
  }

  /**
   * Decides about a request that runs in this process: if it may pass, its concurrency permits are
   * held and renewed until the admission is closed. A token is verified on the calling thread.
   *
   * @throws IllegalArgumentException if the request is null
   * @throws IllegalStateException if the {@link Weir} is closed
   */
  public Admission admit(HttpRequest request) {
    return admissions.take(match(request, HeldPermits.newHolder()));
  }

  /**
   * {@link #admit} without blocking: a token is verified, and a shared store answers, on other
   * threads. If the future is cancelled, what is granted is given back, whenever it is granted.
   */
  public CompletableFuture<Admission> admitAsync(HttpRequest request) {
    return admitAsync(request, engine.executor());
  }

  /**
   * {@link #admitAsync(HttpRequest)}, with continuations on an executor of the request, such as its
   * event loop. An embedded store answers at once, on the calling thread.
   */
  public CompletableFuture<Admission> admitAsync(HttpRequest request, Executor continuations) {
    RulesSnapshot current = rules.current();
    RequestValues read = current.read(Arguments.present("request", request));
    RuleBook book = selection.book(current);
    long holder = HeldPermits.newHolder();
    if (current.needsVerification(read)) {
      return admissions.takeMatched(
          read.verifyAsync().thenCompose(verified -> matchAsync(book, verified, holder)),
          continuations);
    }
    CompletableFuture<Match> match = matchAsync(book, read.values(), holder);
    return match.isDone()
        ? admissions.takeAsync(match.join(), continuations)
        : admissions.takeMatched(match, continuations);
  }

  /** Matches at once, unless limits of the caller have to be found out first. */
  private CompletableFuture<Match> matchAsync(RuleBook book, Descriptor values, long holder) {
    if (limits == null) {
      return CompletableFuture.completedFuture(book.match(values, holder));
    }
    CallerLimitCache.Lookup lookup = limits.newLookup();
    Match match = book.match(values, holder, lookup);
    return lookup.isComplete()
        ? CompletableFuture.completedFuture(match)
        : lookup.known().thenApply(known -> book.match(values, holder, limits));
  }

  /** Ends the renewal of permits, at the end of the {@link Weir}. */
  void close() {
    admissions.close();
  }

  /**
   * The rate limiter that the rules have under {@code calls}. The same name gives the same limiter.
   * It follows changes of the file; if a new version no longer has the name, the last limits stay
   * in use.
   *
   * @throws IllegalArgumentException if the rules have no such call, with the names that they have;
   *     or if it has concurrency permits
   * @throws IllegalStateException if the {@link Weir} is closed
   */
  public RateLimiter limiter(String name) {
    engine.checkOpen();
    return limiters.computeIfAbsent(
        Arguments.present("name", name),
        one ->
            RateLimiter.of(engine, one, CallBook.of(rules, one, CallBook.Kind.RATE), callLimits()));
  }

  private CallerLimits callLimits() {
    return limits == null ? CallerLimits.NONE : limits;
  }

  /**
   * The concurrency limiter that the rules have under {@code calls}; otherwise like {@link
   * #limiter}. If the call has rates beside its permits, they are charged when a permit is taken,
   * and stay charged when it is released.
   *
   * @throws IllegalArgumentException if the rules have no such call, with the names that they have;
   *     or if it has no concurrency permits
   * @throws IllegalStateException if the {@link Weir} is closed
   */
  public ConcurrencyLimiter concurrency(String name) {
    engine.checkOpen();
    return concurrency.computeIfAbsent(
        Arguments.present("name", name),
        one ->
            new ConcurrencyLimiter(
                engine, one, CallBook.of(rules, one, CallBook.Kind.CONCURRENCY)));
  }

  /**
   * How each rule stands towards a request, without charging it. Waits for the store. Rules in
   * shadow are among them.
   */
  public List<RuleState> explain(HttpRequest request) {
    engine.checkOpen();
    return explanations(request).stream().map(one -> RuleStates.of(one, engine.limiter())).toList();
  }

  /**
   * Forgets what the caller of a request has used, as far as rules that apply to the request count
   * it. Waits for the store.
   *
   * @param rule the only rule whose counter is reset; if empty, all those that count by caller, so
   *     that counters which callers share stay as they are
   * @return the names of the rules whose counters were reset
   * @throws dev.weir.StoreFailure if the store does not answer
   */
  public List<String> reset(HttpRequest request, Optional<String> rule) {
    engine.checkOpen();
    List<String> done = new ArrayList<>();
    for (Explanation one : explanations(request)) {
      boolean wanted = rule.map(one.rule().name()::equals).orElse(!one.rule().per().isEmpty());
      if (wanted && one.applies() && !one.match().claims().isEmpty()) {
        Decision unused = engine.limiter().reset(one.match()).join();
        done.add(one.rule().name());
      }
    }
    return done;
  }

  private List<Explanation> explanations(HttpRequest request) {
    RulesSnapshot current = rules.current();
    RuleBook book = selection.book(current);
    Descriptor values = values(current, request);
    return awaitLimits(known -> book.explain(values, 0, known));
  }

  private Match match(HttpRequest request, long holder) {
    RulesSnapshot current = rules.current();
    RuleBook book = selection.book(current);
    Descriptor values = values(current, request);
    return awaitLimits(known -> book.match(values, holder, known));
  }

  /** Matches, and matches again if limits of the caller had to be found out first. */
  private <T> T awaitLimits(Function<CallerLimits, T> match) {
    if (limits == null) {
      return match.apply(CallerLimits.NONE);
    }
    CallerLimitCache.Lookup lookup = limits.newLookup();
    T first = match.apply(lookup);
    if (lookup.isComplete()) {
      return first;
    }
    lookup.await();
    return match.apply(limits);
  }

  private static Descriptor values(RulesSnapshot current, HttpRequest request) {
    RequestValues read = current.read(Arguments.present("request", request));
    return current.needsVerification(read) ? read.verify() : read.values();
  }

  /**
   * The same limiter with one of its rules only, whose other conditions hold as usual. If a new
   * version of the rules no longer has it, the last one stays in use, and a warning is logged.
   *
   * @throws IllegalArgumentException if there is no such rule, with the names that there are
   */
  public RulesLimiter only(String rule) {
    RulesSnapshot current = rules.current();
    List<String> known =
        current.book().rules().stream().map(Rule::name).distinct().sorted().toList();
    if (!known.contains(Arguments.present("rule", rule))) {
      throw Rejections.of(
          "rule", rule, known.isEmpty() ? "a rule; there is none" : "one of " + known);
    }
    return new RulesLimiter(this, RuleSelection.only(rule, current), limits);
  }

  /** The same limiter without some of its rules; asked for their names at every request. */
  public RulesLimiter except(Supplier<Set<String>> ruleNames) {
    return new RulesLimiter(
        this, RuleSelection.except(Arguments.present("rules", ruleNames)), limits);
  }

  /**
   * The same limiter with limits of single callers from a source, such as a database. The limiters
   * of {@code calls} that it makes use them as soon as the source has answered, and do not wait.
   *
   * @throws IllegalArgumentException if the source names a rule or call that there is not, or one
   *     with concurrency permits or without {@code per}; or if its durations are out of range
   */
  public RulesLimiter limitsFrom(LimitSource source) {
    LimitSourceRules.check(Arguments.present("source", source), rules.current());
    return new RulesLimiter(this, selection, new CallerLimitCache(source, engine.scheduler()));
  }

  /** The rules that are active now, with the state of their source. */
  public ActiveRules active() {
    return rules;
  }

  /** The version of the rules that are active, as {@code weir validate} prints it. */
  public String version() {
    return rules.current().version();
  }
}
