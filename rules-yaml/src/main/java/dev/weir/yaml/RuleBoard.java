package dev.weir.yaml;

import dev.weir.http.HttpReader;
import dev.weir.http.JwtSettings;
import dev.weir.yaml.Problem.Severity;
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
 * Holds the rules in force, and takes on or refuses what is offered.
 *
 * <p>Rules may come from several {@linkplain RuleOrigin origins}; all that they gave last is read
 * together, into one rule book. A version that is refused changes nothing: the rules before it stay
 * in force, what is wrong is logged once and told by {@link #status()}.
 *
 * <p>{@link #current} and {@link #status} never wait, whatever is being read meanwhile.
 */
public final class RuleBoard implements RulesInForce, AutoCloseable {
  /** How long to wait for keys from a URL before rules that need them. */
  public static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Logger LOG = System.getLogger(RuleBoard.class.getName());

  private final RulesLoader loader;
  private final InstantSource clock;
  private final List<RuleOrigin> origins = new ArrayList<>();
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();
  private volatile LiveRules current;
  private volatile Status status;

  /** Begins without any rules. */
  public RuleBoard(RulesLoader loader, InstantSource clock) {
    this.loader = loader;
    this.clock = clock;
    RuleSet none = loader.none();
    // Keys are fetched by a thread of their own: the one that offers rules waits for them.
    this.current =
        new LiveRules(none, new HttpReader(none.http(), none.book().names(), clock, null));
    this.status = new Status(none.version(), clock.instant(), 0, 0, List.of(), "", List.of());
  }

  /**
   * Somebody else who gives rules: known before any has given some, lest they seem complete.
   *
   * @param name how problems and the log call it
   */
  public synchronized RuleOrigin origin(Object name) {
    if (isLoaded()) {
      throw new IllegalStateException("origin: another (expected: before the first rules)");
    }
    RuleOrigin origin = new RuleOrigin(this, name);
    origins.add(origin);
    return origin;
  }

  @Override
  public LiveRules current() {
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

  synchronized void begin(RuleOrigin origin, List<Source> offered) throws RulesRefused {
    RuleSet rules = loader.load(allWith(origin, offered));
    HttpReader reader = current.reader().with(rules.http(), rules.book().names());
    if (!reader.awaitKeys(PATIENCE)) {
      LOG.log(Level.WARNING, "{0}: tokens count as absent until then", noKeys(origin, rules));
    }
    putInForce(rules, reader);
    settle(origin, offered, 0);
  }

  synchronized List<String> offer(RuleOrigin origin, List<Source> offered) {
    String version = "";
    try {
      List<Source> all = allWith(origin, offered);
      version = RulesLoader.version(all);
      RuleSet rules = loader.load(all);
      boolean same = version.equals(current.version());
      // The same text may mean something else: the secret in a file that it names.
      if (same && rules.http().equals(current.rules().http())) {
        settle(origin, offered, 0);
        return List.of();
      }
      return replace(origin, offered, rules);
    } catch (RulesRefused e) {
      refuse(origin, version, e.problems().stream().map(Problem::toString).toList());
      return e.problems().stream()
          .filter(one -> one.severity() == Severity.ERROR)
          .map(Problem::toString)
          .toList();
    } catch (RuntimeException | Error e) {
      // No text should do this; if one does, the rules in force and the watching go on.
      return refuse(origin, version, List.of(origin + ": cannot be understood: " + e));
    }
  }

  private List<Source> allWith(RuleOrigin origin, List<Source> offered) {
    List<Source> all = new ArrayList<>();
    for (RuleOrigin one : origins) {
      all.addAll(one.equals(origin) ? offered : one.sources);
    }
    return all;
  }

  private List<String> replace(RuleOrigin origin, List<Source> offered, RuleSet rules) {
    LiveRules before = current;
    HttpReader reader = before.reader().with(rules.http(), rules.book().names());
    if (!reader.awaitKeys(PATIENCE) && before.reader().awaitKeys(Duration.ZERO)) {
      // Better the rules before than all tokens absent, unless they are anyway.
      reader.closeBut(before.reader());
      return refuse(origin, rules.version(), List.of(noKeys(origin, rules)));
    }
    putInForce(rules, reader);
    settle(origin, offered, origin.given ? 1 : 0);
    Changes changes = Changes.between(before.rules(), rules);
    Level level = changes.removed().isEmpty() ? Level.INFO : Level.WARNING;
    LOG.log(level, "Rules {0} are in force, from {1}{2}", rules.version(), origin, changes);
    rules.warnings().forEach(warning -> LOG.log(Level.WARNING, warning.toString()));
    return List.of();
  }

  private void putInForce(RuleSet rules, HttpReader reader) {
    HttpReader before = current.reader();
    current = new LiveRules(rules, reader);
    before.closeBut(reader);
    Status last = status;
    // What is wrong with others' rules stays wrong; settle() forgets what was wrong with these.
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

  /** What was offered is now in force, or is what was in force already. */
  private void settle(RuleOrigin origin, List<Source> offered, int reloads) {
    origin.sources = List.copyOf(offered);
    origin.given = true;
    origin.problems = List.of();
    origin.missing = List.of();
    tell(status.reloads() + reloads, status.refusals());
    if (origins.stream().allMatch(one -> one.given)) {
      loaded.complete(null);
    }
  }

  /** Tells in the status what origins miss. */
  synchronized void tell() {
    tell(status.reloads(), status.refusals());
  }

  private void tell(long reloads, long refusals) {
    List<String> problems = origins.stream().flatMap(one -> one.problems.stream()).toList();
    String refused =
        origins.stream()
            .filter(one -> !one.problems.isEmpty())
            .map(one -> one.refusedVersion)
            .findFirst()
            .orElse("");
    List<String> missing = origins.stream().flatMap(one -> one.missing.stream()).toList();
    status =
        new Status(status.version(), status.since(), reloads, refusals, problems, refused, missing);
  }

  private static String noKeys(RuleOrigin origin, RuleSet rules) {
    JwtSettings jwt = Objects.requireNonNull(rules.http().jwt());
    String expected = "keys within " + PATIENCE.toSeconds() + " seconds";
    return origin + ": jwt: " + jwt.keys() + ": none yet (expected: " + expected + ")";
  }

  /** Told once for as long as the text and what is wrong with it stay the same. */
  synchronized List<String> refuse(RuleOrigin origin, String version, List<String> problems) {
    if (version.equals(origin.refusedVersion) && problems.equals(origin.problems)) {
      return problems;
    }
    origin.refusedVersion = version;
    origin.problems = problems;
    origin.missing = List.of();
    tell(status.reloads(), status.refusals() + 1);
    LOG.log(
        Level.ERROR,
        "Rules from {0} are refused, version {1} stays in force:\n{2}",
        origin,
        status.version(),
        String.join("\n", problems));
    return problems;
  }

  /** Stops what goes on for the rules in force, which stay. */
  @Override
  public synchronized void close() {
    current.reader().close();
  }
}
