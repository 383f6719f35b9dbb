package dev.weir.redis.batch;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.redis.script.RedisKeys;
import dev.weir.redis.script.Script;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A call of {@code takes.lua}, which decides only plain takes from buckets and fixed windows. */
record TakesCall(Batch batch, RedisKeys keys) implements Call {

  @Override
  public Script script() {
    return Script.TAKES;
  }

  @Override
  public byte[][] arguments(long nowMicros, long extraTtlMillis) {
    Interner<Kind> kinds = new Interner<>();
    byte[] plan = doubles(batch.coalesced().size() * Short.BYTES, nowMicros, extraTtlMillis);
    ByteBuffer indexes = ByteBuffer.wrap(plan).order(ByteOrder.LITTLE_ENDIAN);
    indexes.position(2 * Double.BYTES);
    for (CoalescedRequest request : batch.coalesced()) {
      Claim claim = request.claim();
      Kind kind = new Kind(claim.limit(), claim.cost(), request.requests.size());
      indexes.putShort((short) (1 + kinds.number(kind))); // the plan is the first argument
    }
    byte[][] arguments = new byte[1 + kinds.values().size()][];
    arguments[0] = plan;
    for (int i = 1; i < arguments.length; i++) {
      arguments[i] = kinds.values().get(i - 1).packed(keys);
    }
    return arguments;
  }

  /** What is common to takes that differ only in their counters. */
  private record Kind(Limit limit, long cost, int count) {
    byte[] packed(RedisKeys keys) {
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

  /**
   * Numbers below 2^53 as doubles, which hold them exactly.
   *
   * @param spareBytes the number of zero bytes to append
   */
  private static byte[] doubles(int spareBytes, long... numbers) {
    byte[] bytes = new byte[numbers.length * Double.BYTES + spareBytes];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (long number : numbers) {
      buffer.putDouble((double) number);
    }
    return bytes;
  }

  @Override
  public void complete(byte[] reply) {
    ByteBuffer numbers = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
    long nowMicros = (long) numbers.getDouble();
    for (CoalescedRequest request : batch.coalesced()) {
      long at = (long) numbers.getDouble();
      long level = (long) numbers.getDouble();
      request.complete(level, at, nowMicros);
    }
  }
}
