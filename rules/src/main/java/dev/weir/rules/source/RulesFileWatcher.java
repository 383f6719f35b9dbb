package dev.weir.rules.source;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.weir.rules.ActiveRules;
import dev.weir.rules.RuleSource;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRegistry;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.source.RuleFiles.Fingerprint;
import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Polls rules files, and offers their changes to a {@link RulesRegistry}. Thread-safe.
 *
 * <p><b>How.</b> {@link #poll} compares the files' fingerprints: names, sizes, times, inodes. It
 * reads a change once the fingerprint has been stable for {@link #SETTLE}, so that a half-written
 * file is not loaded, and discards it if the fingerprint changed while reading, so that files of
 * two versions are not mixed. Polling beats notifications: it works on every file system, and for a
 * file, a directory and a link that is switched to another directory alike.
 *
 * <p>A version that is refused, or cannot be read, is tried again every {@link #RETRY}, since the
 * cause may lie outside the files: in a file that the rules name, at the URL of keys.
 */
public final class RulesFileWatcher implements ActiveRules, AutoCloseable {
  /** The polling interval. */
  static final Duration INTERVAL = Duration.ofMillis(250);

  /** How long files must be unchanged before they are read. */
  public static final Duration SETTLE = Duration.ofMillis(200);

  /** The time between attempts to load files that were refused. */
  public static final Duration RETRY = Duration.ofSeconds(30);

  private final RuleFiles files;
  private final RulesRegistry registry;
  private final RuleSource source;
  private final boolean ownsRegistry;
  private final InstantSource clock;

  // The fingerprint of the last poll, and that of the last read, valid or not.
  private Fingerprint lastSeen;
  private Instant lastSeenSince;
  private Fingerprint lastRead;
  private Instant lastReadAt;
  private @Nullable ScheduledFuture<?> polling;

  /** Whether there have been no files since the start. */
  private boolean awaitingFirstFiles;

  /**
   * Loads the files into a registry of their own.
   *
   * @throws IOException if the files cannot be read
   * @throws RulesRejected if they are invalid
   */
  public RulesFileWatcher(RuleFiles files, RulesLoader loader, InstantSource clock)
      throws IOException, RulesRejected {
    this(files, new RulesRegistry(loader, clock), clock, true);
  }

  /**
   * Loads the files into a registry that other sources share.
   *
   * @throws IOException if the files cannot be read
   * @throws RulesRejected if they are invalid
   */
  public RulesFileWatcher(RuleFiles files, RulesRegistry registry, InstantSource clock)
      throws IOException, RulesRejected {
    this(files, registry, clock, false);
  }

  private RulesFileWatcher(
      RuleFiles files, RulesRegistry registry, InstantSource clock, boolean ownsRegistry)
      throws IOException, RulesRejected {
    this.files = files;
    this.registry = registry;
    this.source = registry.addSource(files);
    this.ownsRegistry = ownsRegistry;
    this.clock = clock;
    Instant now = clock.instant();
    // If the files change while being read, the next poll notices.
    Fingerprint before = files.fingerprint();
    this.lastSeen = before;
    this.lastSeenSince = now;
    this.lastRead = before;
    this.lastReadAt = now;
    loadInitial();
  }

  private void loadInitial() throws IOException, RulesRejected {
    try {
      source.loadInitial(files.read());
    } catch (RuleFiles.NoFiles e) {
      if (!e.isAllowedAtStart()) {
        throw e;
      }
      source.loadInitial(List.of());
      source.reportMissing(
          files + ": no files yet, nothing is limited (expected: at least one file)");
      awaitingFirstFiles = true;
    }
  }

  @Override
  public RulesSnapshot current() {
    return registry.current();
  }

  @Override
  public void adjust(List<Adjustment> adjustments) {
    registry.adjust(adjustments);
  }

  @Override
  public Status status() {
    return registry.status();
  }

  @Override
  public CompletionStage<Void> loaded() {
    return registry.loaded();
  }

  @Override
  public boolean isLoaded() {
    return registry.isLoaded();
  }

  /** Polls the files on the scheduler until closed. */
  public synchronized void start(ScheduledExecutorService scheduler) {
    long millis = INTERVAL.toMillis();
    polling = scheduler.scheduleWithFixedDelay(this::pollSafely, millis, millis, MILLISECONDS);
  }

  /** A task that throws would never be scheduled again. */
  private void pollSafely() {
    try {
      poll();
    } catch (RuntimeException | Error e) {
      // Not even reporting worked, perhaps for lack of memory; the next poll tries again.
    }
  }

  /** Polls the files once. */
  public synchronized void poll() {
    try {
      Fingerprint now = files.fingerprint();
      if (isDue(now)) {
        read(now);
      }
    } catch (RuntimeException | Error e) {
      source.reportFailure(List.of(files + ": cannot be read: " + e));
    }
  }

  /** Whether a change has settled, or a failed read is due for another attempt. */
  private boolean isDue(Fingerprint now) {
    if (!now.equals(lastSeen)) {
      lastSeen = now;
      lastSeenSince = clock.instant();
    }
    return now.equals(lastRead)
        ? (awaitingFirstFiles || source.isRefused()) && hasElapsed(lastReadAt, RETRY)
        : hasElapsed(lastSeenSince, SETTLE);
  }

  private boolean hasElapsed(Instant since, Duration time) {
    // abs(): a clock that was set back must not delay a change until it has caught up.
    return Duration.between(since, clock.instant()).abs().compareTo(time) >= 0;
  }

  private void read(Fingerprint now) {
    try {
      List<RulesText> texts = files.read();
      if (isUnchanged(now)) {
        awaitingFirstFiles = false;
        var unused = source.offer(texts);
      }
    } catch (RuleFiles.NoFiles e) {
      // Active rules stay: the files may be about to be replaced.
      if (isUnchanged(now) && !awaitingFirstFiles) {
        source.reportFailure(List.of(files + ": cannot be read: " + RuleFiles.reason(e)));
      }
    } catch (IOException | RuntimeException | Error e) {
      if (isUnchanged(now)) {
        source.reportFailure(List.of(files + ": cannot be read: " + RuleFiles.reason(e)));
      }
    }
  }

  /** Whether the files did not change while being read; if so, records them as read. */
  private boolean isUnchanged(Fingerprint before) {
    if (!files.fingerprint().equals(before)) {
      return false;
    }
    lastRead = before;
    lastReadAt = clock.instant();
    return true;
  }

  /** Stops polling; the rules stay active. */
  @Override
  public synchronized void close() {
    if (polling != null) {
      polling.cancel(false);
    }
    if (ownsRegistry) {
      registry.close();
    }
  }
}
