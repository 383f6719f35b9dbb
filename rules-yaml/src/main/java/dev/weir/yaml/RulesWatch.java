package dev.weir.yaml;

import dev.weir.http.HttpReader;
import dev.weir.yaml.RuleFiles.Fingerprint;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rules of some files in force, and takes on what changes in them.
 *
 * <p><b>How.</b> {@link #poll} looks at the files' stamps: names, where links lead, sizes, times. A
 * change is read once the stamps have stayed the same for {@link #SETTLE}, so that nobody sees half
 * of a file that is being written, and only counts if they are still the same after reading, so
 * that no two files are of two versions. Looking beats being told: it works on every file system,
 * and for a file, a directory and a link that is turned to another directory alike.
 *
 * <p>A version that is refused changes nothing: the rules before it stay in force, what is wrong is
 * logged once and told by {@link #status()}.
 */
public final class RulesWatch implements AutoCloseable {
  /** How often to look. */
  public static final Duration INTERVAL = Duration.ofMillis(250);

  /** How long files must rest before they are read. */
  public static final Duration SETTLE = Duration.ofMillis(200);

  private static final Logger LOG = System.getLogger(RulesWatch.class.getName());

  private final RuleFiles files;
  private final RulesLoader loader;
  private final InstantSource clock;
  private final @Nullable ScheduledExecutorService executor;

  private volatile LiveRules current;
  private volatile Status status;

  private @Nullable Fingerprint done;
  private @Nullable Fingerprint seen;
  private Instant seenSince;
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

  /**
   * Reads the files for the first time.
   *
   * @param executor fetches keys for tokens; null for threads of its own
   */
  public RulesWatch(
      RuleFiles files,
      RulesLoader loader,
      InstantSource clock,
      @Nullable ScheduledExecutorService executor)
      throws IOException, RulesRefused {
    this.files = files;
    this.loader = loader;
    this.clock = clock;
    this.executor = executor;
    this.seenSince = clock.instant();
    Fingerprint before = files.fingerprint();
    RuleSet rules = loader.load(files.read());
    this.current = new LiveRules(rules, reader(rules));
    this.status = new Status(rules.version(), clock.instant(), 0, 0, List.of());
    // If they changed meanwhile, the next look will tell.
    this.done = before;
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
    polling = scheduler.scheduleWithFixedDelay(this::poll, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Looks at the files once. Never throws. */
  public synchronized void poll() {
    try {
      Fingerprint now = files.fingerprint();
      if (now.equals(done)) {
        seen = now; // whatever was seen in between begins to settle anew if it comes back
        return;
      }
      if (!now.equals(seen)) {
        seen = now;
        seenSince = clock.instant();
        return;
      }
      if (Duration.between(seenSince, clock.instant()).compareTo(SETTLE) < 0) {
        return;
      }
      List<Source> sources = files.read();
      if (files.fingerprint().equals(now)) {
        done = now;
        take(sources);
      }
    } catch (IOException | RuntimeException e) {
      unreadable(e);
    }
  }

  private void take(List<Source> sources) {
    RuleSet rules;
    try {
      rules = loader.load(sources);
    } catch (RulesRefused e) {
      refuse(e.problems().stream().map(Problem::toString).toList());
      return;
    } catch (RuntimeException | StackOverflowError e) {
      // No text should do this; if one does, the rules in force and the watching go on.
      refuse(List.of(files + ": cannot be understood: " + e));
      return;
    }
    LiveRules before = current;
    if (rules.version().equals(before.version())) {
      status = told(List.of());
      return;
    }
    // A reader that goes on keeps its meters, and the keys it would have to fetch again.
    boolean sameReading = rules.http().equals(before.rules().http());
    current =
        new LiveRules(
            rules, sameReading ? before.reader().withNames(rules.book().names()) : reader(rules));
    if (!sameReading) {
      before.reader().close();
    }
    status =
        new Status(
            rules.version(), clock.instant(), status.reloads + 1, status.refusals, List.of());
    LOG.log(Level.INFO, "Rules {0} are in force, from {1}", rules.version(), files);
    rules.warnings().forEach(warning -> LOG.log(Level.WARNING, warning.toString()));
  }

  private HttpReader reader(RuleSet rules) {
    return new HttpReader(rules.http(), rules.book().names(), clock, executor);
  }

  /** Files that are gone for a moment while somebody replaces them are no news. */
  private void unreadable(Exception e) {
    Fingerprint none = new Fingerprint(List.of());
    if (!none.equals(seen)) {
      seen = none;
      seenSince = clock.instant();
    } else if (!none.equals(done)
        && Duration.between(seenSince, clock.instant()).compareTo(SETTLE) >= 0) {
      done = none;
      refuse(List.of(files + ": cannot be read: " + e));
    }
  }

  private void refuse(List<String> problems) {
    status =
        new Status(status.version, status.since, status.reloads, status.refusals + 1, problems);
    LOG.log(
        Level.ERROR,
        "Rules from {0} are refused, version {1} stays in force:\n{2}",
        files,
        status.version,
        String.join("\n", problems));
  }

  private Status told(List<String> problems) {
    return new Status(status.version, status.since, status.reloads, status.refusals, problems);
  }

  @Override
  public synchronized void close() {
    if (polling != null) {
      polling.cancel(false);
    }
    current.reader().close();
  }
}
