package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A plain batch, for the script that only takes from buckets and fixed windows. */
record TakesCall(Batch batch, Keys keys) implements Call {

  @Override
  public Script script() {
    return Script.TAKES;
  }

  @Override
  public byte[][] arguments(long givenMicros, long keptMillis) {
    Numbered<Kind> kinds = new Numbered<>();
    byte[] plan = doubles(batch.questions().size() * Short.BYTES, givenMicros, keptMillis);
    ByteBuffer after = ByteBuffer.wrap(plan).order(ByteOrder.LITTLE_ENDIAN);
    after.position(2 * Double.BYTES);
    for (Question question : batch.questions()) {
      Claim claim = question.claim();
      Kind kind = new Kind(claim.limit(), claim.cost(), question.requests.size());
      after.putShort((short) (1 + kinds.number(kind))); // the plan is the first argument
    }
    byte[][] arguments = new byte[1 + kinds.things().size()][];
    arguments[0] = plan;
    for (int i = 1; i < arguments.length; i++) {
      arguments[i] = kinds.things().get(i - 1).packed(keys);
    }
    return arguments;
  }

  /** Takes that differ in nothing but in what they are taken from. */
  private record Kind(Limit limit, long cost, int count) {
    byte[] packed(Keys keys) {
      byte[] head = keys.head(limit);
      byte[] packed =
          limit.algorithm() == Algorithm.FIXED_WINDOW
              ? doubles(
                  head.length,
                  count,
                  cost,
                  limit.permits(),
                  limit.windowMicros(),
                  0,
                  1,
                  Limit.MAX_LEVEL_UNITS,
                  limit.maxAheadTicks())
              : doubles(
                  head.length,
                  count,
                  cost,
                  limit.capacity(),
                  limit.tickMicros(),
                  limit.unitsPerTick(),
                  limit.unitsPerPermit(),
                  limit.maxLevelUnits(),
                  limit.maxAheadTicks());
      System.arraycopy(head, 0, packed, packed.length - head.length, head.length);
      return packed;
    }
  }

  /** Numbers below 2^53 as doubles, which hold them exactly, and room for more after them. */
  private static byte[] doubles(int room, long... numbers) {
    byte[] bytes = new byte[numbers.length * Double.BYTES + room];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (long number : numbers) {
      buffer.putDouble((double) number);
    }
    return bytes;
  }

  @Override
  public void complete(byte[] answer) {
    ByteBuffer numbers = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
    long nowMicros = (long) numbers.getDouble();
    for (Question question : batch.questions()) {
      long at = (long) numbers.getDouble();
      long level = (long) numbers.getDouble();
      question.complete(level, at, nowMicros);
    }
  }
}
