package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.CalendarWindow;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.operation.Operation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A batch, for the script that knows everything.
 *
 * @param nearMicros about what time it is, to tell which calendar windows are near
 */
record ClaimsCall(Batch batch, Keys keys, long nearMicros) implements Call {
  /** By the script's numbers, of which the last is of a permit that its holder held before. */
  private static final Verdict[] VERDICTS = {
    Verdict.ALLOWED, Verdict.DENIED, Verdict.NEVER, Verdict.ALLOWED
  };

  private static final int RENEWED = 3;

  /** The script's number for takes that are all the same. */
  private static final int TAKES = 6;

  /** How many calendar windows are told: before, now and after, whatever the clocks say. */
  private static final int WINDOWS = 3;

  @Override
  public Script script() {
    return Script.CLAIMS;
  }

  @Override
  public byte[][] arguments(long givenMicros, long keptMillis) {
    Numbered<Limit> limits = new Numbered<>();
    for (Question question : batch.questions()) {
      for (Claim claim : question.first().claims) {
        limits.number(claim.limit());
      }
    }
    Packer packer = new Packer();
    packer.number(givenMicros);
    packer.number(keptMillis);
    packer.number(limits.things().size());
    limits.things().forEach(limit -> pack(limit, packer));
    packer.number(batch.questions().size());
    batch.questions().forEach(question -> pack(question, limits, packer));
    return new byte[][] {packer.done()};
  }

  private void pack(Limit limit, Packer packer) {
    packer.text(keys.head(limit));
    LongStream.of(keys.told(limit)).forEach(packer::number);
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
    long boundary = calendar.startMicros(Math.max(0, calendar.startMicros(nearMicros) - 1));
    for (int i = 0; i <= WINDOWS; i++) {
      packer.number(boundary);
      boundary = calendar.endMicros(boundary);
    }
  }

  /** An operation, by the script's number. */
  private static int code(Operation operation) {
    return switch (operation) {
      case TAKE -> 1;
      case LOOK -> 2;
      case REFUND -> 3;
      case CHARGE -> 4;
      case FORGET -> 5;
    };
  }

  private void pack(Question question, Numbered<Limit> limits, Packer packer) {
    if (question.takes) {
      Claim claim = question.claim();
      packer.number(TAKES);
      packer.number(batch.number(claim.key()));
      packer.number(question.requests.size());
      packer.number(limits.number(claim.limit()));
      packer.number(claim.cost());
      return;
    }
    Pending request = question.first();
    packer.number(code(request.operation));
    packer.number(request.claims.size());
    for (Claim claim : request.claims) {
      packer.number(batch.number(claim.key()));
      packer.number(limits.number(claim.limit()));
      packer.number(claim.cost());
      if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        packer.text(claim.permit());
      } else {
        packer.number(0);
      }
    }
  }

  @Override
  public void complete(byte[] answer) {
    Unpacker numbers = new Unpacker(answer);
    long nowMicros = numbers.number();
    for (Question question : batch.questions()) {
      if (question.takes) {
        long level = numbers.number();
        long at = numbers.number();
        long extra = numbers.number();
        boolean two = question.claim().limit().algorithm() == Algorithm.SLIDING_COUNTER;
        question.complete(two ? level << 32 | extra : level, at, nowMicros);
      } else {
        complete(question.first(), numbers);
      }
    }
  }

  private static void complete(Pending request, Unpacker numbers) {
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
    request.decided(Decision.of(each.size() == 1 ? each : List.copyOf(each)), renewed);
  }
}
