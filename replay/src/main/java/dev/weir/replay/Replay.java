package dev.weir.replay;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.measure.Hashes;
import dev.weir.replay.measure.RetryDetector;
import dev.weir.replay.measure.TimeAxis;
import dev.weir.replay.result.Comparison;
import dev.weir.replay.result.LogResult;
import dev.weir.replay.result.ReplayResult;
import dev.weir.replay.result.Spread;
import dev.weir.replay.result.Timeline;
import dev.weir.replay.run.Disagreements;
import dev.weir.replay.run.Positions;
import dev.weir.replay.run.RulesReplay;
import dev.weir.replay.run.SpreadTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replays a log against proposed rules, and against those of today if they are given, on virtual
 * time and with the limiter that servers use.
 *
 * <p><b>Time.</b> Where the log tells moments to 10 milliseconds or better, there is one run. Where
 * it tells seconds, each {@link Spread} is a run of its own, because nobody knows when in their
 * second the requests came. A line is read and matched once, and decided in each run.
 *
 * <p><b>Memory</b> does not depend on the length of the log, only on the number of callers, which
 * is bounded. An object replays one log, on one thread.
 */
public final class Replay {
  /** Logs are fine enough for one run up to this resolution. */
  private static final long FINE_MICROS = 10_000;

  /** How many requests of one second are kept at once; in busier seconds they come in parts. */
  private static final int MAX_BUFFERED = 1 << 15;

  private static final int LINES_PER_PROGRESS = 1 << 13;

  private final ReplaySettings settings;
  private final NamedRules proposed;
  private final Optional<NamedRules> against;
  private final ReplayListener listener;
  private final TimeAxis axis = new TimeAxis();
  private final long[] timeline = axis.newSeries();
  private final RetryDetector retries = new RetryDetector();
  private final SpreadTimes times;
  private final Positions positions;
  private final List<RulesReplay> replays = new ArrayList<>();
  private final List<Disagreements> disagreements = new ArrayList<>();
  private List<Spread> spreads = List.of();
  private final List<Request> second = new ArrayList<>();
  private long secondStart;
  private long secondFrom;
  private long firstMicros = Long.MAX_VALUE;
  private long lastMicros = Long.MIN_VALUE;
  private long resolutionMicros = 1;
  private long requests;
  private long withDuration;

  private record Request(LogEntry entry, List<RulesReplay.Prepared> byRules) {}

  /**
   * A replay of one log.
   *
   * @param against the rules of today, if disagreements are wanted
   */
  public Replay(
      NamedRules proposed,
      Optional<NamedRules> against,
      ReplaySettings settings,
      ReplayListener listener) {
    this.proposed = proposed;
    this.against = against;
    this.settings = settings;
    this.listener = listener;
    this.times = new SpreadTimes(settings.seed());
    this.positions = new Positions(settings.files());
  }

  /**
   * Replays all of a log. To be called once.
   *
   * @throws IOException if the log cannot be read further
   */
  public ReplayResult run(LogSource log) throws IOException {
    LogEntry entry = log.next();
    begin(entry);
    long lines = 0;
    while (entry != null) {
      if (!isLeftOut(entry)) {
        add(entry);
      }
      if (++lines % LINES_PER_PROGRESS == 0) {
        listener.onProgress(log.progress());
      }
      entry = log.next();
    }
    decideSecond(secondStart + resolutionMicros);
    return result(log);
  }

  private void begin(@Nullable LogEntry first) {
    boolean fine = first == null || first.resolutionMicros() <= FINE_MICROS;
    spreads =
        settings
            .spread()
            .map(List::of)
            .orElse(fine ? List.of(Spread.START) : List.of(Spread.values()));
    RulesReplay.Terms terms =
        new RulesReplay.Terms(
            spreads,
            settings.maxKeys(),
            settings.maxCallers(),
            settings.hurtShare(),
            axis,
            positions);
    replays.add(new RulesReplay(proposed.name(), proposed.rules(), terms));
    against.ifPresent(
        today -> {
          replays.add(new RulesReplay(today.name(), today.rules(), terms));
          spreads.forEach(unused -> disagreements.add(new Disagreements(positions)));
        });
  }

  /** Whether a request is a retry after a denial in the log, and retries are left out. */
  private boolean isLeftOut(LogEntry entry) {
    if (!retries.isNear(entry.status(), entry.arrivalMicros())) {
      return false;
    }
    long hash = Hashes.with(Hashes.SEED, Objects.requireNonNullElse(entry.peer(), ""));
    for (String name : List.of("authorization", "x-api-key", "user-agent")) {
      for (String value : entry.headers(name)) {
        hash = Hashes.with(hash, value);
      }
    }
    hash = Hashes.with(hash, Objects.requireNonNullElse(entry.principal(), ""));
    hash = Hashes.with(Hashes.with(hash, entry.method()), entry.target());
    boolean retry = retries.isRetry(Hashes.end(hash), entry.status(), entry.arrivalMicros());
    return retry && settings.dropRetries();
  }

  private void add(LogEntry entry) {
    long micros = entry.arrivalMicros();
    long resolution = entry.resolutionMicros();
    requests++;
    withDuration += entry.durationMicros().isPresent() ? 1 : 0;
    timeline[axis.bucket(micros)]++;
    firstMicros = Math.min(firstMicros, micros);
    lastMicros = Math.max(lastMicros, micros);
    resolutionMicros = Math.max(resolutionMicros, resolution);
    if (resolution <= FINE_MICROS) {
      decideSecond(micros);
      decide(prepare(entry), micros);
      return;
    }
    long start = Math.floorDiv(micros, resolution) * resolution;
    if (start != secondStart) {
      decideSecond(secondStart + resolution);
      secondStart = start;
      secondFrom = start;
    } else if (second.size() == MAX_BUFFERED) {
      decideSecond((secondFrom + secondStart + resolution) / 2);
    }
    second.add(prepare(entry));
  }

  private Request prepare(LogEntry entry) {
    RulesReplay.Prepared first = replays.get(0).prepare(entry);
    return new Request(
        entry,
        replays.size() == 1 ? List.of(first) : List.of(first, replays.get(1).prepare(entry)));
  }

  private void decide(Request request, long micros) {
    for (int run = 0; run < spreads.size(); run++) {
      decide(request, run, micros);
    }
  }

  /** Decides about the requests that are kept, which arrive until a moment, exclusive. */
  private void decideSecond(long untilMicros) {
    if (second.isEmpty()) {
      return;
    }
    long length = Math.max(1, untilMicros - secondFrom);
    for (int run = 0; run < spreads.size(); run++) {
      long[] moments = times.of(spreads.get(run), second.size(), secondFrom, length);
      for (int i = 0; i < moments.length; i++) {
        decide(second.get(i), run, moments[i]);
      }
    }
    second.clear();
    secondFrom = untilMicros;
  }

  private void decide(Request request, int run, long micros) {
    LogEntry entry = request.entry;
    RulesReplay.Prepared prepared = request.byRules.get(0);
    String deniedBy = prepared.decide(run, micros);
    listener.onDecision(entry, spreads.get(run), deniedBy);
    if (request.byRules.size() > 1) {
      RulesReplay.Prepared today = request.byRules.get(1);
      String todayDeniedBy = today.decide(run, micros);
      disagreements
          .get(run)
          .add(
              entry, deniedBy, todayDeniedBy, () -> (deniedBy == null ? today : prepared).caller());
    }
  }

  private ReplayResult result(LogSource log) {
    boolean empty = requests == 0;
    LogResult read =
        new LogResult(
            settings.files(),
            requests,
            new LogResult.Lines(
                log.progress().lines(), log.skippedLines(), log.lateLines(), log.badLines()),
            new LogResult.Timestamps(
                empty ? 0 : firstMicros,
                empty ? 0 : lastMicros,
                resolutionMicros,
                spreads,
                settings.seed()),
            new LogResult.PastDenials(retries.denied(), retries.retries(), settings.dropRetries()),
            withDuration,
            new Timeline(axis.startMicros(), axis.bucketMicros(), axis.used(timeline)));
    List<Comparison> compared = new ArrayList<>();
    for (int i = 0; i < disagreements.size(); i++) {
      compared.add(disagreements.get(i).result(spreads.get(i)));
    }
    return new ReplayResult(
        read,
        replays.stream().map(RulesReplay::result).toList(),
        compared.stream()
            .max(Comparator.comparingLong(one -> one.newlyDenied() + one.newlyAllowed())));
  }
}
