package dev.weir.redis.batch;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.redis.script.Packer;
import dev.weir.redis.script.RedisKeys;
import dev.weir.redis.script.Script;
import dev.weir.redis.script.Unpacker;
import dev.weir.time.CalendarWindow;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A call of {@code claims.lua}, which decides every batch.
 *
 * @param localMicros the approximate time, which selects the calendar windows to send
 */
record ClaimsCall(Batch batch, RedisKeys keys, long localMicros) implements Call {
  /** Verdicts by the code that the script returns; the last is {@link #RENEWED}. */
  private static final Verdict[] VERDICTS = {
    Verdict.ALLOWED, Verdict.DENIED, Verdict.NEVER, Verdict.ALLOWED
  };

  /** The code of a permit that its holder held before. */
  private static final int RENEWED = 3;

  /** The operation code of coalesced takes. */
  private static final int COALESCED_TAKES = 6;

  /** The calendar windows sent: previous, current and next, in case the clocks disagree. */
  private static final int WINDOWS = 3;

  @Override
  public Script script() {
    return Script.CLAIMS;
  }

  @Override
  public byte[][] arguments(long nowMicros, long extraTtlMillis) {
    Interner<Limit> limits = new Interner<>();
    for (CoalescedRequest request : batch.coalesced()) {
      for (Claim claim : request.first().claims) {
        limits.number(claim.limit());
      }
    }
    Packer packer = new Packer();
    packer.number(nowMicros);
    packer.number(extraTtlMillis);
    packer.number(limits.values().size());
    limits.values().forEach(limit -> pack(limit, packer));
    packer.number(batch.coalesced().size());
    batch.coalesced().forEach(request -> pack(request, limits, packer));
    return new byte[][] {packer.toByteArray()};
  }

  private void pack(Limit limit, Packer packer) {
    packer.string(keys.head(limit));
    LongStream.of(keys.identity(limit)).forEach(packer::number);
    packer.number(limit.capacity());
    packer.number(limit.tickMicros());
    packer.number(limit.unitsPerTick());
    packer.number(limit.unitsPerPermit());
    packer.number(limit.maxLevelUnits());
    CalendarWindow calendar = limit.calendar().orElse(null);
    if (calendar == null) {
      packer.number(0);
      return;
    }
    packer.number(WINDOWS + 1);
    long boundary = calendar.startMicros(Math.max(0, calendar.startMicros(localMicros) - 1));
    for (int i = 0; i <= WINDOWS; i++) {
      packer.number(boundary);
      boundary = calendar.endMicros(boundary);
    }
  }

  /** The operation code in the script. */
  private static int code(Operation operation) {
    return switch (operation) {
      case TAKE -> 1;
      case PEEK -> 2;
      case REFUND -> 3;
      case CHARGE -> 4;
      case RESET -> 5;
    };
  }

  private void pack(CoalescedRequest request, Interner<Limit> limits, Packer packer) {
    if (request.isTake) {
      Claim claim = request.claim();
      packer.number(COALESCED_TAKES);
      packer.number(batch.keyIndex(claim.key()));
      packer.number(request.requests.size());
      packer.number(limits.number(claim.limit()));
      packer.number(claim.cost());
      return;
    }
    PendingRequest single = request.first();
    packer.number(code(single.operation));
    packer.number(single.claims.size());
    for (Claim claim : single.claims) {
      packer.number(batch.keyIndex(claim.key()));
      packer.number(limits.number(claim.limit()));
      packer.number(claim.cost());
      if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        packer.bitString(claim.holder());
      } else {
        packer.number(0);
      }
    }
  }

  @Override
  public void complete(byte[] reply) {
    Unpacker numbers = new Unpacker(reply);
    long nowMicros = numbers.number();
    for (CoalescedRequest request : batch.coalesced()) {
      if (request.isTake) {
        long level = numbers.number();
        long at = numbers.number();
        long extra = numbers.number();
        boolean hasTwoCounts = request.claim().limit().algorithm() == Algorithm.SLIDING_COUNTER;
        request.complete(hasTwoCounts ? level << 32 | extra : level, at, nowMicros);
      } else {
        complete(request.first(), numbers);
      }
    }
  }

  private static void complete(PendingRequest request, Unpacker numbers) {
    List<Decision> each = new ArrayList<>(request.claims.size());
    BitSet renewed = null;
    for (int i = 0; i < request.claims.size(); i++) {
      int verdict = (int) numbers.number();
      if (verdict == RENEWED) {
        renewed = renewed == null ? new BitSet() : renewed;
        renewed.set(i);
      }
      each.add(
          Decision.of(VERDICTS[verdict], numbers.number(), numbers.number(), numbers.number()));
    }
    request.onDecision(Decision.of(each.size() == 1 ? each : List.copyOf(each)), renewed);
  }
}
