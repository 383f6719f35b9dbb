package dev.weir.yaml;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.weir.http.HttpReader;
import dev.weir.http.JwtSettings;
import dev.weir.yaml.RuleFiles.Fingerprint;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rules of some files in force, and takes on what changes in them.
 *
 * <p><b>How.</b> {@link #poll} looks at the files' stamps: names, sizes, times, inodes. A change is
 * read once the stamps have stayed the same for {@link #SETTLE}, so that nobody sees half of a file
 * that is being written, and only counts if they are still the same after reading, so that no two
 * files are of two versions. Looking beats being told: it works on every file system, and for a
 * file, a directory and a link that is turned to another directory alike.
 *
 * <p>A version that is refused, or cannot be read, changes nothing: the rules before it stay in
 * force, what is wrong is logged once and told by {@link #status()}. It is tried again every {@link
 * #RETRY}, since the remedy may lie elsewhere: in a file that the rules name, at the URL of keys.
 *
 * <p>{@link #current} and {@link #status} never wait, whatever is being read meanwhile.
 */
public final class RulesWatch implements AutoCloseable {
  /** How often to look. */
  public static final Duration INTERVAL = Duration.ofMillis(250);

  /** How long files must rest before they are read. */
  public static final Duration SETTLE = Duration.ofMillis(200);

  /** How long after a refusal the same files are tried again. */
  public static final Duration RETRY = Duration.ofSeconds(30);

  /** How long to wait for keys from a URL before rules that need them. */
  public static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Logger LOG = System.getLogger(RulesWatch.class.getName());
  private static final String NO_VERSION = "";

  private final RuleFiles files;
  private final RulesLoader loader;
  private final InstantSource clock;

  private volatile LiveRules current;
  private volatile Status status;

  // What the last look showed, and what was last read, for good or bad.
  private Fingerprint seen;
  private Instant seenSince;
  private Fingerprint done;
  private Instant doneAt;

  // Of the version that the problems in the status are about, if there are any.
  private String refusedVersion = NO_VERSION;
  private @Nullable ScheduledFuture<?> polling;

  /**
   * How watching goes.
   *
   * @param version of the rules in force
   * @param since when they came into force
   * @param reloads how many versions were taken on after the first
   * @param refusals how many were not
   * @param problems what is wrong with the newest version; empty if it is the one in force
   */
  public record Status(
      String version, Instant since, long reloads, long refusals, List<String> problems) {}

  /** Reads the files for the first time. */
  public RulesWatch(RuleFiles files, RulesLoader loader, InstantSource clock)
      throws IOException, RulesRefused {
    this.files = files;
    this.loader = loader;
    this.clock = clock;
    Instant now = clock.instant();
    // If they change while being read, the next look will tell.
    Fingerprint before = files.fingerprint();
    this.seen = before;
    this.seenSince = now;
    this.done = before;
    this.doneAt = now;
    RuleSet rules = loader.load(files.read());
    // Keys are fetched by a thread of their own: the one that polls waits for them.
    HttpReader reader = new HttpReader(rules.http(), rules.book().names(), clock, null);
    if (!reader.awaitKeys(PATIENCE)) {
      LOG.log(Level.WARNING, "{0}: tokens count as absent until then", noKeys(rules));
    }
    this.current = new LiveRules(rules, reader);
    this.status = new Status(rules.version(), now, 0, 0, List.of());
  }

  /** The rules in force. */
  public LiveRules current() {
    return current;
  }

  public Status status() {
    return status;
  }

  /** Looks at the files again and again, until closed. */
  public synchronized void start(ScheduledExecutorService scheduler) {
    long millis = INTERVAL.toMillis();
    polling = scheduler.scheduleWithFixedDelay(this::survive, millis, millis, MILLISECONDS);
  }

  /** A schedule that throws is never called again. */
  private void survive() {
    try {
      poll();
    } catch (RuntimeException | Error e) {
      // Not even telling worked, for want of memory perhaps; there will be another look.
    }
  }

  /** Looks at the files once. */
  public synchronized void poll() {
    try {
      Fingerprint now = files.fingerprint();
      if (isDue(now)) {
        read(now);
      }
    } catch (RuntimeException | Error e) {
      refuse(NO_VERSION, List.of(files + ": cannot be read: " + e));
    }
  }

  /** Whether there is something new that has settled, or something bad to try again. */
  private boolean isDue(Fingerprint now) {
    if (!now.equals(seen)) {
      seen = now;
      seenSince = clock.instant();
    }
    return now.equals(done)
        ? !status.problems.isEmpty() && isPast(doneAt, RETRY)
        : isPast(seenSince, SETTLE);
  }

  private boolean isPast(Instant since, Duration time) {
    // A clock that was set back must not hold up a change until it is where it was.
    return Duration.between(since, clock.instant()).abs().compareTo(time) >= 0;
  }

  private void read(Fingerprint now) {
    try {
      List<Source> sources = files.read();
      if (isWhole(now)) {
        take(sources);
      }
    } catch (IOException | RuntimeException | Error e) {
      if (isWhole(now)) {
        refuse(NO_VERSION, List.of(files + ": cannot be read: " + RuleFiles.reason(e)));
      }
    }
  }

  /** Whether what was read is of one version; then it is done with. */
  private boolean isWhole(Fingerprint before) {
    if (!files.fingerprint().equals(before)) {
      return false;
    }
    done = before;
    doneAt = clock.instant();
    return true;
  }

  private void take(List<Source> sources) {
    String version = RulesLoader.version(sources);
    try {
      RuleSet rules = loader.load(sources);
      boolean same = version.equals(current.version());
      // The same text may mean something else: the secret in a file that it names.
      if (same && rules.http().equals(current.rules().http())) {
        status = new Status(version, status.since, status.reloads, status.refusals, List.of());
      } else {
        putInForce(rules);
      }
    } catch (RulesRefused e) {
      refuse(version, e.problems().stream().map(Problem::toString).toList());
    } catch (RuntimeException | Error e) {
      // No text should do this; if one does, the rules in force and the watching go on.
      refuse(version, List.of(files + ": cannot be understood: " + e));
    }
  }

  private void putInForce(RuleSet rules) {
    LiveRules before = current;
    HttpReader reader = before.reader().with(rules.http(), rules.book().names());
    if (!reader.awaitKeys(PATIENCE) && before.reader().awaitKeys(Duration.ZERO)) {
      // Better the rules before than all tokens absent, unless they are anyway.
      reader.closeBut(before.reader());
      refuse(rules.version(), List.of(noKeys(rules)));
      return;
    }
    current = new LiveRules(rules, reader);
    before.reader().closeBut(reader);
    status =
        new Status(
            rules.version(), clock.instant(), status.reloads + 1, status.refusals, List.of());
    Changes changes = Changes.between(before.rules(), rules);
    Level level = changes.gone().isEmpty() ? Level.INFO : Level.WARNING;
    LOG.log(level, "Rules {0} are in force, from {1}{2}", rules.version(), files, changes);
    rules.warnings().forEach(warning -> LOG.log(Level.WARNING, warning.toString()));
  }

  private String noKeys(RuleSet rules) {
    JwtSettings jwt = Objects.requireNonNull(rules.http().jwt());
    String expected = "keys within " + PATIENCE.toSeconds() + " seconds";
    return files + ": jwt: " + jwt.keys() + ": none yet (expected: " + expected + ")";
  }

  /** Told once for as long as the text and what is wrong with it stay the same. */
  private void refuse(String version, List<String> problems) {
    if (version.equals(refusedVersion) && problems.equals(status.problems)) {
      return;
    }
    refusedVersion = version;
    status =
        new Status(status.version, status.since, status.reloads, status.refusals + 1, problems);
    LOG.log(
        Level.ERROR,
        "Rules from {0} are refused, version {1} stays in force:\n{2}",
        files,
        status.version,
        String.join("\n", problems));
  }

  @Override
  public synchronized void close() {
    if (polling != null) {
      polling.cancel(false);
    }
    current.reader().close();
  }
}
