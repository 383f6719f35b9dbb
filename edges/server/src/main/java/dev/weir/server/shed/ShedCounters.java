package dev.weir.server.shed;

import dev.weir.rules.gateway.SheddingSettings;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests by priority and verdict; they outlive changes of the rules. Thread-safe. */
public final class ShedCounters {
  private static final int PRIORITIES = SheddingSettings.LOWEST + 1;

  private final LongAdder[] admitted = adders(PRIORITIES);
  private final Map<Verdict.Reason, LongAdder[]> shed = new EnumMap<>(Verdict.Reason.class);

  /** Begins with zeros. */
  public ShedCounters() {
    for (Verdict.Reason reason : Verdict.Reason.values()) {
      shed.put(reason, adders(PRIORITIES));
    }
  }

  private static LongAdder[] adders(int size) {
    LongAdder[] adders = new LongAdder[size];
    for (int i = 0; i < size; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  void addAdmitted(int priority) {
    admitted[priority].increment();
  }

  void addShed(int priority, Verdict.Reason reason) {
    of(reason)[priority].increment();
  }

  private LongAdder[] of(Verdict.Reason reason) {
    return Objects.requireNonNull(shed.get(reason));
  }

  /** The requests of a priority that went on. */
  public long admitted(int priority) {
    return admitted[priority].sum();
  }

  /** The requests of a priority that were shed for a reason. */
  public long shed(int priority, Verdict.Reason reason) {
    return of(reason)[priority].sum();
  }
}
