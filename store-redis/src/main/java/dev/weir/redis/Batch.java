package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.CalendarWindow;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests that travel together: in, the arguments of one call of the script; out, decisions.
 *
 * <p>Takes of the same from the same counter are asked for once, with their number. The script says
 * how the counter stood and what time it was, and what became of each take is worked out here, by
 * the same functions that count in this process.
 */
final class Batch {
  private static final Verdict[] VERDICTS = {Verdict.ALLOWED, Verdict.DENIED, Verdict.NEVER};

  /** The script's number for takes that are all the same. */
  private static final int TAKES = 6;

  /** How many calendar windows are told: before, now and after, whatever the clocks say. */
  private static final int WINDOWS = 3;

  private final List<Pending> requests;
  private final Keys keys;
  private final long nowMicros;
  private final List<Entry> entries = new ArrayList<>();
  private final Numbered<LimitKey> counters = new Numbered<>();
  private final Numbered<Limit> limits = new Numbered<>();

  /** Things numbered from 1 in the order in which they came. */
  private static final class Numbered<T> {
    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> things = new ArrayList<>();

    int number(T thing) {
      Integer known = numbers.putIfAbsent(thing, things.size() + 1);
      if (known != null) {
        return known;
      }
      things.add(thing);
      return things.size();
    }
  }

  /** A request, or several takes that are all the same. */
  private static final class Entry {
    final List<Pending> requests = new ArrayList<>(1);
    final boolean takes;

    Entry(Pending first) {
      requests.add(first);
      Algorithm algorithm = first.claims.get(0).limit().algorithm();
      this.takes =
          first.operation == Operation.TAKE
              && first.claims.size() == 1
              && algorithm != Algorithm.SLIDING_LOG // has more to tell than a few numbers
              && algorithm != Algorithm.CONCURRENCY;
    }

    Pending first() {
      return requests.get(0);
    }

    boolean isLike(Pending request) {
      return takes && request.operation == Operation.TAKE && request.claims.equals(first().claims);
    }
  }

  /**
   * @param nowMicros about what time it is, to tell which calendar windows are near
   */
  Batch(List<Pending> requests, Keys keys, long nowMicros) {
    this.requests = requests;
    this.keys = keys;
    this.nowMicros = nowMicros;
    Map<LimitKey, Entry> last = new HashMap<>();
    for (Pending request : requests) {
      Entry before = last.get(request.claims.get(0).key());
      if (before != null && before.isLike(request)) {
        before.requests.add(request);
        continue;
      }
      Entry entry = new Entry(request);
      entries.add(entry);
      for (Claim claim : request.claims) {
        last.put(claim.key(), entry);
        counters.number(claim.key());
        limits.number(claim.limit());
      }
    }
  }

  List<Pending> requests() {
    return requests;
  }

  byte[][] keys() {
    return counters.things.stream().map(keys::name).toArray(byte[][]::new);
  }

  /**
   * @param givenMicros the time to count by, or 0 for the time of Redis
   * @param keptMillis how much longer than needed counters are kept
   */
  byte[] arguments(long givenMicros, long keptMillis) {
    Packer packer = new Packer();
    packer.number(givenMicros);
    packer.number(keptMillis);
    boolean plain = isPlain();
    packer.number(plain ? 1 : 0);
    packer.number(limits.things.size());
    limits.things.forEach(limit -> pack(limit, packer));
    packer.number(entries.size());
    entries.forEach(entry -> pack(entry, plain, packer));
    return packer.done();
  }

  /** Whether all are takes from buckets, one for each: the script is quicker then. */
  private boolean isPlain() {
    return entries.size() == counters.things.size()
        && entries.stream().allMatch(entry -> entry.takes)
        && limits.things.stream().allMatch(Batch::isBucket);
  }

  private void pack(Entry entry, boolean plain, Packer packer) {
    Pending request = entry.first();
    if (entry.takes) {
      Claim claim = request.claims.get(0);
      if (!plain) {
        packer.number(TAKES);
        packer.number(counters.number(claim.key()));
      }
      packer.number(entry.requests.size());
      packer.number(limits.number(claim.limit()));
      packer.number(claim.cost());
      return;
    }
    packer.number(request.operation.code);
    packer.number(request.claims.size());
    for (Claim claim : request.claims) {
      packer.number(counters.number(claim.key()));
      packer.number(limits.number(claim.limit()));
      packer.number(claim.cost());
      if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        packer.text(claim.permit());
      } else {
        packer.number(0);
      }
    }
  }

  private static boolean isBucket(Limit limit) {
    return limit.algorithm() == Algorithm.TOKEN_BUCKET
        || limit.algorithm() == Algorithm.LEAKY_BUCKET;
  }

  private void pack(Limit limit, Packer packer) {
    CalendarWindow calendar = limit.calendar().orElse(null);
    long[] head = {
      code(limit.algorithm()),
      limit.permits(),
      limit.windowMicros(),
      switch (limit.algorithm()) {
        case TOKEN_BUCKET, LEAKY_BUCKET -> limit.capacity();
        case FIXED_WINDOW -> calendar == null ? 0 : keys.number(calendar.toString());
        case SLIDING_LOG, SLIDING_COUNTER, CONCURRENCY -> 0;
      }
    };
    Packer packed = new Packer();
    Arrays.stream(head).forEach(packed::number);
    packer.text(packed.sequence());
    Arrays.stream(head).forEach(packer::number);
    packer.number(limit.capacity());
    packer.number(limit.tickMicros());
    packer.number(limit.unitsPerTick());
    packer.number(limit.unitsPerPermit());
    packer.number(limit.maxLevelUnits());
    packer.number(limit.longestDrainTicks());
    if (calendar == null) {
      packer.number(0);
      return;
    }
    packer.number(WINDOWS + 1);
    long boundary = calendar.startMicros(Math.max(0, calendar.startMicros(nowMicros) - 1));
    for (int i = 0; i <= WINDOWS; i++) {
      packer.number(boundary);
      boundary = calendar.endMicros(boundary);
    }
  }

  private static int code(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> 1;
      case LEAKY_BUCKET -> 2;
      case FIXED_WINDOW -> 3;
      case SLIDING_LOG -> 4;
      case SLIDING_COUNTER -> 5;
      case CONCURRENCY -> 6;
    };
  }

  /** Gives each request its decision. */
  void complete(byte[] answer) {
    Unpacker numbers = new Unpacker(answer);
    long nowMicros = numbers.number();
    for (Entry entry : entries) {
      if (numbers.isSequence()) {
        completeFromState(entry, numbers, nowMicros);
      } else if (entry.takes) {
        completeTakes(entry, numbers.number(), numbers.number(), numbers.number(), nowMicros);
      } else {
        complete(entry.first(), numbers);
      }
    }
  }

  private static void complete(Pending request, Unpacker numbers) {
    List<Decision> each = new ArrayList<>(request.claims.size());
    for (int i = 0; i < request.claims.size(); i++) {
      Verdict verdict = VERDICTS[(int) numbers.number()];
      each.add(Decision.of(verdict, numbers.number(), numbers.number(), numbers.number()));
    }
    request.complete(Decision.of(each.size() == 1 ? each : List.copyOf(each)));
  }

  /** From a bucket as it is kept: what stands last is when it was so full. */
  private static void completeFromState(Entry entry, Unpacker numbers, long nowMicros) {
    int end = numbers.textEnd();
    double at = 0;
    double level = 0;
    if (end >= 0) {
      numbers.skipTo(end - 2 * Double.BYTES);
      at = numbers.littleDouble();
      level = numbers.littleDouble();
    }
    // The script, too, begins anew where it finds what it cannot have written.
    boolean sound = isNatural(at) && isNatural(level);
    completeTakes(entry, sound ? (long) level : 0, sound ? (long) at : 0, 0, nowMicros);
  }

  private static boolean isNatural(double number) {
    return number >= 0 && number <= 0x1p53 && number == Math.rint(number);
  }

  private static void completeTakes(
      Entry entry, long levelBefore, long atBefore, long extra, long nowMicros) {
    Claim claim = entry.first().claims.get(0);
    boolean counter = claim.limit().algorithm() == Algorithm.SLIDING_COUNTER;
    long level = counter ? levelBefore << 32 | extra : levelBefore;
    long at = atBefore;
    for (Pending request : entry.requests) {
      Step step = Counter.take(level, at, Step.NO_LOG, claim, nowMicros);
      level = step.level();
      at = step.at();
      request.complete(step.decision());
    }
  }
}
