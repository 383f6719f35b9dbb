package dev.weir.gateway.cost;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The recent lengths of answers, by model, for estimates.
 *
 * <p>At most {@value #MAX_MODELS} models are kept, those used last, with {@value #MAX_ANSWERS}
 * answers each. Only models that a provider has answered for get here, so a client cannot fill the
 * table with names of its own. Safe for use by any number of threads.
 */
final class ModelOutputs {
  static final int MAX_MODELS = 256;
  static final int MAX_ANSWERS = 128;

  /** Fewer answers say too little. */
  static final int MIN_ANSWERS = 20;

  private static final int PERCENT = 95;

  private final Map<String, Recent> models =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Recent> eldest) {
          return size() > MAX_MODELS;
        }
      };

  /** Records the length of an answer, in tokens. */
  synchronized void record(String model, long tokens) {
    models.computeIfAbsent(model, unused -> new Recent()).add(tokens);
  }

  /** The length that 95 of 100 recent answers did not exceed; empty if there were too few. */
  synchronized OptionalLong p95(String model) {
    Recent recent = models.get(model);
    return recent == null || recent.count < MIN_ANSWERS
        ? OptionalLong.empty()
        : OptionalLong.of(recent.p95());
  }

  /** The highest {@link #p95(String)} of all models; empty if there is none. */
  synchronized OptionalLong highestP95() {
    return models.values().stream()
        .filter(recent -> recent.count >= MIN_ANSWERS)
        .mapToLong(Recent::p95)
        .max();
  }

  synchronized int size() {
    return models.size();
  }

  /** The last answers of one model, in a ring. */
  private static final class Recent {
    private final long[] tokens = new long[MAX_ANSWERS];
    private int next;
    private int count;
    private long p95 = -1;

    void add(long answer) {
      tokens[next] = answer;
      next = (next + 1) % MAX_ANSWERS;
      count = Math.min(MAX_ANSWERS, count + 1);
      p95 = -1;
    }

    long p95() {
      if (p95 < 0) {
        long[] sorted = Arrays.copyOf(tokens, count);
        Arrays.sort(sorted);
        p95 = sorted[(count * PERCENT + 99) / 100 - 1];
      }
      return p95;
    }
  }
}
