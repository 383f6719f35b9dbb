package dev.weir.server.telemetry;

import dev.weir.server.log.LineWriter;
import dev.weir.server.log.LogFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Logs a sample of denials: so many a second for each rule, so that a rule that denies a flood does
 * not hide one that denies a few. Safe for use by any number of threads; never waits.
 */
public final class DenialLog implements AutoCloseable {
  /** Rules with a budget of their own; those beyond share one. */
  static final int MAX_RULES = 2_000;

  private static final String NAME = "denial log";
  private static final String OTHERS = "";

  private final int perSecond;
  private final LineWriter<Denial> writer;
  private final Map<String, Budget> budgets = new ConcurrentHashMap<>();
  private final LongAdder suppressed = new LongAdder();

  /**
   * A denial to be logged.
   *
   * @param suppressed denials by the same rule since the last line about it, which were not logged
   */
  record Denial(DecisionRecord record, long suppressed) {}

  private static final class Budget {
    final RateBudget rate;
    final LongAdder suppressed = new LongAdder();

    Budget(int perSecond) {
      this.rate = new RateBudget(perSecond);
    }
  }

  private DenialLog(int perSecond, LineWriter<Denial> writer) {
    this.perSecond = perSecond;
    this.writer = writer;
  }

  /**
   * Starts a log in a file.
   *
   * @param file a path; {@code -} for standard output
   * @param perSecond the number of lines in a second for each rule, up to 1,000,000
   * @throws IOException if the file cannot be written
   */
  public static DenialLog open(String file, LogFormat format, int perSecond) throws IOException {
    RecordLines lines = new RecordLines(format);
    return new DenialLog(perSecond, LineWriter.open(NAME, file, lines::denial));
  }

  /** Starts a log in a stream, which stays open. */
  static DenialLog to(OutputStream stream, LogFormat format, int perSecond) {
    RecordLines lines = new RecordLines(format);
    return new DenialLog(perSecond, LineWriter.to(stream, NAME, lines::denial));
  }

  void add(DecisionRecord record) {
    Budget budget = budget(record.decided().rule());
    if (!budget.rate.take(record.startMicros() + record.micros())) {
      budget.suppressed.increment();
      suppressed.increment();
      return;
    }
    writer.add(new Denial(record, budget.suppressed.sumThenReset()));
  }

  private Budget budget(@Nullable String rule) {
    String name = rule == null ? OTHERS : rule;
    Budget known = budgets.get(name);
    if (known != null) {
      return known;
    }
    String label = budgets.size() < MAX_RULES ? name : OTHERS;
    return budgets.computeIfAbsent(label, fresh -> new Budget(perSecond));
  }

  /** Denials that were left out, because there were too many of their rule. */
  long suppressed() {
    return suppressed.sum();
  }

  /** Lines that could not be written. */
  long dropped() {
    return writer.dropped();
  }

  /** Writes what waits, for a few seconds at most. */
  @Override
  public void close() {
    writer.close();
  }
}
