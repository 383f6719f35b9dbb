package dev.weir.rules;

import dev.weir.http.identity.HttpReader;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.Problem.Severity;
import dev.weir.rules.yaml.RulesText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Holds the active rules, and accepts or refuses new versions. Thread-safe.
 *
 * <p>Rules may come from several {@linkplain RuleSource sources}; the last valid texts of all
 * sources are compiled together into one rule book. A refused version changes nothing: the rules
 * before it stay active, its problems are logged once and reported by {@link #status()}.
 *
 * <p>{@link #current} and {@link #status} never block, even while a version is being loaded.
 * Actions of operators adjust every version until they end; a version becomes active together with
 * them.
 */
public final class RulesRegistry implements ActiveRules, AutoCloseable {
  /** How long a new version waits for the keys that it needs from a URL. */
  static final Duration KEY_TIMEOUT = Duration.ofSeconds(2);

  private static final Logger LOG = System.getLogger(RulesRegistry.class.getName());

  private final RulesLoader loader;
  private final InstantSource clock;
  private final List<RuleSource> sources = new ArrayList<>();
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();

  /** Guards the three fields below; a version that waits for its keys does not hold it. */
  private final Object activation = new Object();

  /** The active version without adjustments. */
  private RulesSnapshot unadjusted;

  private List<Adjustment> adjustments = List.of();
  private volatile RulesSnapshot current;
  private volatile Status status;

  /** A registry without rules. */
  public RulesRegistry(RulesLoader loader, InstantSource clock) {
    this.loader = loader;
    this.clock = clock;
    RuleSet none = loader.empty();
    // Keys get a thread of their own, since the thread that offers rules waits for them.
    this.unadjusted =
        new RulesSnapshot(none, new HttpReader(none.http(), none.book().names(), clock, null));
    this.current = unadjusted;
    this.status = new Status(none.version(), clock.instant(), 0, 0, List.of(), "", List.of());
  }

  /**
   * Adds a source. Add all sources before the first one delivers rules: until each has delivered
   * some, the rules are incomplete.
   *
   * @param name of the source in problems and in the log
   * @throws IllegalStateException if all sources have delivered rules already
   */
  public synchronized RuleSource addSource(Object name) {
    if (isLoaded()) {
      throw new IllegalStateException(
          "source: " + name + " (expected: added before the first rules are loaded)");
    }
    RuleSource source = new RuleSource(this, name);
    sources.add(source);
    return source;
  }

  /**
   * Adds a source whose rules never change. They become active together with the first rules of
   * another source, and are checked then: either may need the other.
   *
   * @throws IllegalStateException if all sources have delivered rules already
   */
  public synchronized void addFixedSource(Object name, List<RulesText> texts) {
    RuleSource source = addSource(name);
    source.texts = List.copyOf(texts);
    source.loaded = true;
  }

  @Override
  public RulesSnapshot current() {
    return current;
  }

  @Override
  public Status status() {
    return status;
  }

  @Override
  public CompletionStage<Void> loaded() {
    return loaded;
  }

  @Override
  public boolean isLoaded() {
    return loaded.isDone();
  }

  synchronized void loadInitial(RuleSource source, List<RulesText> offered) throws RulesRejected {
    RuleSet rules = loader.load(allWith(source, offered));
    HttpReader reader = current.reader().reconfigured(rules.http(), rules.book().names());
    if (!reader.awaitKeys(KEY_TIMEOUT)) {
      LOG.log(Level.WARNING, "{0}: tokens count as absent until then", keysMissing(source, rules));
    }
    activate(rules, reader);
    accept(source, offered, 0);
  }

  synchronized List<String> offer(RuleSource source, List<RulesText> offered) {
    String version = "";
    try {
      List<RulesText> all = allWith(source, offered);
      version = RulesLoader.version(all);
      RuleSet rules = loader.load(all);
      boolean same = version.equals(current.version());
      // The same text may mean something else: the secret in a file that it names.
      if (same && rules.http().equals(current.rules().http())) {
        accept(source, offered, 0);
        return List.of();
      }
      return replace(source, offered, rules);
    } catch (RulesRejected e) {
      refuse(source, version, e.problems().stream().map(Problem::toString).toList());
      return e.problems().stream()
          .filter(one -> one.severity() == Severity.ERROR)
          .map(Problem::toString)
          .toList();
    } catch (RuntimeException | Error e) {
      // No text should cause this; if one does, the active rules stay and watching goes on.
      return refuse(source, version, List.of(source + ": cannot be understood: " + e));
    }
  }

  private List<RulesText> allWith(RuleSource source, List<RulesText> offered) {
    List<RulesText> all = new ArrayList<>();
    for (RuleSource one : sources) {
      all.addAll(one.equals(source) ? offered : one.texts);
    }
    return all;
  }

  private List<String> replace(RuleSource source, List<RulesText> offered, RuleSet rules) {
    RulesSnapshot before = unadjusted();
    HttpReader reader = before.reader().reconfigured(rules.http(), rules.book().names());
    if (!reader.awaitKeys(KEY_TIMEOUT) && before.reader().awaitKeys(Duration.ZERO)) {
      // The old rules are better than treating all tokens as absent, unless they do so as well.
      reader.closeExceptSharedWith(before.reader());
      return refuse(source, rules.version(), List.of(keysMissing(source, rules)));
    }
    activate(rules, reader);
    accept(source, offered, source.loaded ? 1 : 0);
    RuleChanges changes = RuleChanges.between(before.rules(), rules);
    Level level = changes.removed().isEmpty() ? Level.INFO : Level.WARNING;
    LOG.log(level, "Rules {0} are active, from {1}{2}", rules.version(), source, changes);
    rules.warnings().forEach(warning -> LOG.log(Level.WARNING, warning.toString()));
    return List.of();
  }

  private RulesSnapshot unadjusted() {
    synchronized (activation) {
      return unadjusted;
    }
  }

  @Override
  public void adjust(List<Adjustment> wanted) {
    synchronized (activation) {
      adjustments = List.copyOf(wanted);
      current = unadjusted.adjusted(adjustments);
    }
  }

  private void activate(RuleSet rules, HttpReader reader) {
    HttpReader before = current.reader();
    RulesSnapshot loadedRules = new RulesSnapshot(rules, reader);
    synchronized (activation) {
      unadjusted = loadedRules;
      current = loadedRules.adjusted(adjustments);
    }
    before.closeExceptSharedWith(reader);
    Status last = status;
    // The problems of other sources remain; accept() clears those of this one.
    status =
        new Status(
            rules.version(),
            clock.instant(),
            last.reloads(),
            last.refusals(),
            last.problems(),
            last.refusedVersion(),
            last.missing());
  }

  /** Records that the offered texts are active, now or already before. */
  private void accept(RuleSource source, List<RulesText> offered, int reloads) {
    source.texts = List.copyOf(offered);
    source.loaded = true;
    source.problems = List.of();
    source.missing = List.of();
    publishStatus(status.reloads() + reloads, status.refusals());
    if (sources.stream().allMatch(one -> one.loaded)) {
      loaded.complete(null);
    }
  }

  /** Updates the status after a source's problems or missing parts changed. */
  synchronized void publishStatus() {
    publishStatus(status.reloads(), status.refusals());
  }

  private void publishStatus(long reloads, long refusals) {
    List<String> problems = sources.stream().flatMap(one -> one.problems.stream()).toList();
    String refused =
        sources.stream()
            .filter(one -> !one.problems.isEmpty())
            .map(one -> one.refusedVersion)
            .findFirst()
            .orElse("");
    List<String> missing = sources.stream().flatMap(one -> one.missing.stream()).toList();
    status =
        new Status(status.version(), status.since(), reloads, refusals, problems, refused, missing);
  }

  private static String keysMissing(RuleSource source, RuleSet rules) {
    JwtSettings jwt = Objects.requireNonNull(rules.http().jwt());
    String expected = "keys within " + KEY_TIMEOUT.toSeconds() + " seconds";
    return source + ": jwt: " + jwt.keys() + ": none yet (expected: " + expected + ")";
  }

  /** Refuses a version; logs it once while the text and its problems stay the same. */
  synchronized List<String> refuse(RuleSource source, String version, List<String> problems) {
    if (version.equals(source.refusedVersion) && problems.equals(source.problems)) {
      return problems;
    }
    source.refusedVersion = version;
    source.problems = problems;
    source.missing = List.of();
    publishStatus(status.reloads(), status.refusals() + 1);
    LOG.log(
        Level.ERROR,
        "Rules from {0} are rejected, version {1} stays active:\n{2}",
        source,
        status.version(),
        String.join("\n", problems));
    return problems;
  }

  /** Stops background work, such as fetching keys; the rules stay active. */
  @Override
  public synchronized void close() {
    current.reader().close();
  }
}
