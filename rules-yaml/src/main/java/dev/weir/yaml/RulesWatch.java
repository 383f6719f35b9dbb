package dev.weir.yaml;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.weir.yaml.RuleFiles.Fingerprint;
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
 * Looks at the files that rules come from, and offers what changes in them to a {@link RuleBoard}.
 *
 * <p><b>How.</b> {@link #poll} looks at the files' stamps: names, sizes, times, inodes. A change is
 * read once the stamps have stayed the same for {@link #SETTLE}, so that nobody sees half of a file
 * that is being written, and only counts if they are still the same after reading, so that no two
 * files are of two versions. Looking beats being told: it works on every file system, and for a
 * file, a directory and a link that is turned to another directory alike.
 *
 * <p>A version that is refused, or cannot be read, is tried again every {@link #RETRY}, since the
 * remedy may lie elsewhere: in a file that the rules name, at the URL of keys.
 */
public final class RulesWatch implements RulesInForce, AutoCloseable {
  /** How often to look. */
  public static final Duration INTERVAL = Duration.ofMillis(250);

  /** How long files must rest before they are read. */
  public static final Duration SETTLE = Duration.ofMillis(200);

  /** How long after a refusal the same files are tried again. */
  public static final Duration RETRY = Duration.ofSeconds(30);

  private final RuleFiles files;
  private final RuleBoard board;
  private final RuleOrigin origin;
  private final boolean alone;
  private final InstantSource clock;

  // What the last look showed, and what was last read, for good or bad.
  private Fingerprint seen;
  private Instant seenSince;
  private Fingerprint done;
  private Instant doneAt;
  private @Nullable ScheduledFuture<?> polling;

  /** Whether there were no files at the start, and none since. */
  private boolean awaited;

  /** Reads the files for the first time; nothing but them is in force. */
  public RulesWatch(RuleFiles files, RulesLoader loader, InstantSource clock)
      throws IOException, RulesRefused {
    this(files, new RuleBoard(loader, clock), clock, true);
  }

  /** The same beside others who give rules to a board. */
  public RulesWatch(RuleFiles files, RuleBoard board, InstantSource clock)
      throws IOException, RulesRefused {
    this(files, board, clock, false);
  }

  private RulesWatch(RuleFiles files, RuleBoard board, InstantSource clock, boolean alone)
      throws IOException, RulesRefused {
    this.files = files;
    this.board = board;
    this.origin = board.origin(files);
    this.alone = alone;
    this.clock = clock;
    Instant now = clock.instant();
    // If they change while being read, the next look will tell.
    Fingerprint before = files.fingerprint();
    this.seen = before;
    this.seenSince = now;
    this.done = before;
    this.doneAt = now;
    begin();
  }

  private void begin() throws IOException, RulesRefused {
    try {
      origin.begin(files.read());
    } catch (RuleFiles.NoFiles e) {
      if (!e.isAwaited()) {
        throw e;
      }
      origin.begin(List.of());
      origin.await(files + ": no files yet, nothing is limited (expected: at least one file)");
      awaited = true;
    }
  }

  @Override
  public LiveRules current() {
    return board.current();
  }

  @Override
  public Status status() {
    return board.status();
  }

  @Override
  public CompletionStage<Void> loaded() {
    return board.loaded();
  }

  @Override
  public boolean isLoaded() {
    return board.isLoaded();
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
      origin.refuse(List.of(files + ": cannot be read: " + e));
    }
  }

  /** Whether there is something new that has settled, or something bad to try again. */
  private boolean isDue(Fingerprint now) {
    if (!now.equals(seen)) {
      seen = now;
      seenSince = clock.instant();
    }
    return now.equals(done)
        ? (awaited || origin.isRefused()) && isPast(doneAt, RETRY)
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
        awaited = false;
        var unused = origin.offer(sources);
      }
    } catch (RuleFiles.NoFiles e) {
      // What was in force stays, if it was more than nothing: files may be on their way.
      if (isWhole(now) && !awaited) {
        origin.refuse(List.of(files + ": cannot be read: " + RuleFiles.reason(e)));
      }
    } catch (IOException | RuntimeException | Error e) {
      if (isWhole(now)) {
        origin.refuse(List.of(files + ": cannot be read: " + RuleFiles.reason(e)));
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

  /** Looks no more; what is in force stays. */
  @Override
  public synchronized void close() {
    if (polling != null) {
      polling.cancel(false);
    }
    if (alone) {
      board.close();
    }
  }
}
