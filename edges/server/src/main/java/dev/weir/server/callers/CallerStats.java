package dev.weir.server.callers;

import dev.weir.limiter.Limiter;
import dev.weir.limiter.Subject;
import dev.weir.rule.Rule;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Entry;
import dev.weir.server.rls.RlsListener;
import dev.weir.sketch.CounterBudget;
import dev.weir.sketch.FrequencySummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts who sends most: the callers of each rule by {@link Kind}, and how much of each rule's
 * limit is in use. Callers are known by a hash of their identity.
 *
 * <p><b>Bounds.</b> All counters together take a few megabytes, however many callers and rules
 * there are; with very many rules, each has fewer counters and states a larger error. At most
 * {@value #MAX_RULES} rules are tracked; one that was idle for an hour makes room.
 *
 * <p>Thread-safe. Counting takes no lock that another thread holds for long.
 */
public final class CallerStats implements CallerSource, Limiter.Listener, RlsListener {
  /** The maximum number of rules. */
  public static final int MAX_RULES = 500;

  private static final int MAX_COUNTERS = 50_000;
  private static final int MAX_STRIPES = 4;

  private final Map<String, RuleCallers> rules = new ConcurrentHashMap<>();
  private final CounterBudget budget = new CounterBudget(MAX_COUNTERS);
  private final int stripes;
  private final boolean revealed;

  /**
   * Nothing counted yet.
   *
   * @param threads how many threads count
   * @param revealed whether to remember the values that identify the heaviest callers
   */
  public CallerStats(int threads, boolean revealed) {
    int wanted = Math.max(1, Math.min(MAX_STRIPES, threads));
    this.stripes = Integer.highestOneBit(2 * wanted - 1);
    this.revealed = revealed;
  }

  /** Whether the values that identify callers are remembered. */
  public boolean isRevealed() {
    return revealed;
  }

  @Override
  public void onOutcome(Rule rule, Limiter.Outcome outcome, Subject subject) {
    Kind kind = Kind.of(outcome);
    RuleCallers of = kind == null ? null : of(rule.name());
    if (kind == null || of == null) {
      return;
    }
    int used = subject.usedPercent();
    of.use(used);
    long caller = subject.caller();
    if (caller == 0) {
      return;
    }
    Supplier<CallerNote> note = revealed ? () -> CallerNote.ofRule(subject.identity()) : null;
    of.add(kind, caller, note);
    if (kind == Kind.ALLOWED && used >= Kind.NEAR_PERCENT) {
      of.add(Kind.NEAR_LIMIT, caller, note);
    }
  }

  @Override
  public void onLimitChecked(
      String domain,
      String metric,
      @Nullable DomainRule rule,
      CountedBy counter,
      LimitReport report) {
    if (report.hits() <= 0 || counter.hash() == 0) {
      return;
    }
    RuleCallers of = of(rule == null ? TopCaller.limit(domain, OVERRIDE) : name(domain, rule));
    if (of == null) {
      return;
    }
    boolean denied = report.counted() > report.limit();
    long percent = report.limit() == 0 ? 100 : 100 * report.counted() / report.limit();
    of.use((int) Math.min(100, percent));
    Supplier<CallerNote> note =
        () -> new CallerNote(revealed ? names(counter) : List.of(), false, counter.ofCaller());
    if (denied) {
      boolean shadow = report.outcome() == RlsListener.Outcome.SHADOW_OVER;
      of.add(shadow ? Kind.SHADOW_DENIED : Kind.DENIED, counter.hash(), note);
      return;
    }
    of.add(Kind.ALLOWED, counter.hash(), note);
    if (percent >= Kind.NEAR_PERCENT) {
      of.add(Kind.NEAR_LIMIT, counter.hash(), note);
    }
  }

  /** The name of a limit of a domain, as actions have it. */
  private static String name(String domain, DomainRule rule) {
    String path = rule.path();
    String start = domain + ".";
    return TopCaller.limit(domain, path.startsWith(start) ? path.substring(start.length()) : path);
  }

  private static List<String> names(CountedBy counter) {
    List<String> names = new ArrayList<>();
    for (Entry entry : counter.entries()) {
      names.add(entry.key());
      names.add(entry.value());
    }
    return names;
  }

  private @Nullable RuleCallers of(String rule) {
    RuleCallers known = rules.get(rule);
    if (known != null || rules.size() >= MAX_RULES) {
      return known;
    }
    return rules.computeIfAbsent(rule, name -> new RuleCallers(stripes, budget));
  }

  @Override
  public Set<String> rules() {
    return new TreeSet<>(rules.keySet());
  }

  @Override
  public FrequencySummary callers(String rule, Kind kind, Window window) {
    RuleCallers known = rules.get(rule);
    return known == null ? FrequencySummary.EMPTY : known.summary(kind, window);
  }

  /**
   * The names and values, alternating, that identify the caller of rules of our own with this hash;
   * empty if they are not remembered. Takes milliseconds, so call it on no event loop.
   */
  public Optional<List<String>> identity(long caller) {
    if (!revealed) {
      return Optional.empty();
    }
    TopCallers top = new TopCallers(this);
    return rules.keySet().stream()
        .flatMap(rule -> top.find(rule, caller).stream())
        .flatMap(found -> Optional.ofNullable(found.note()).stream())
        .filter(note -> note.ofRule() && !note.identity().isEmpty())
        .map(CallerNote::identity)
        .findFirst();
  }

  /** How much of a rule's limit its busiest caller had used in the last minute, in percent. */
  public int usedPercent(String rule) {
    RuleCallers known = rules.get(rule);
    return known == null ? 0 : known.usedPercent();
  }

  /** Ends a second; for a timer. */
  public void tick() {
    rules.values().forEach(RuleCallers::tick);
  }

  /** Ends a generation; for a timer, every half minute. */
  public void rotate() {
    rules.values().removeIf(RuleCallers::rotate);
  }
}
