package dev.weir.redis.batch;

import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.script.RedisKeys;
import dev.weir.redis.script.Script;
import dev.weir.time.Ticker;
import io.lettuce.core.ScriptOutputType;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Chooses the script for a batch and calls it. Thread-safe. */
final class ScriptCaller {
  private final Link link;
  private final long extraTtlMillis;
  private final RedisKeys keys;
  private final @Nullable Ticker ticker;
  private final Ticker localClock;
  private final LongAdder calls = new LongAdder();

  /**
   * Calls scripts over {@code link}.
   *
   * @param ticker the time to count by; null for the time of Redis
   * @param localClock the approximate time, which selects the calendar windows to send
   */
  ScriptCaller(Link link, RedisSettings settings, @Nullable Ticker ticker, Ticker localClock) {
    this.link = link;
    this.extraTtlMillis = settings.extraTtlMillis();
    this.keys = new RedisKeys(settings.prefix());
    this.ticker = ticker;
    this.localClock = localClock;
  }

  /** The fastest script that can decide a batch. */
  Call fastestCall(Batch batch) {
    return batch.isPlain() ? takesCall(batch) : claimsCall(batch);
  }

  /** A call of the script for plain batches. */
  Call takesCall(Batch batch) {
    return new TakesCall(batch, keys);
  }

  /** A call of the script for every batch. */
  Call claimsCall(Batch batch) {
    return claimsCall(batch, localClock.micros());
  }

  /** A call of the script for every batch, with the calendar windows around a time. */
  Call claimsCall(Batch batch, long micros) {
    return new ClaimsCall(batch, keys, micros);
  }

  /**
   * Calls the script.
   *
   * @param withText whether to send the script's text, for a node that has not loaded it
   * @return the reply; null from {@code takes.lua} if only {@code claims.lua} can decide
   */
  CompletionStage<byte[]> send(Call call, boolean withText) {
    Script script = call.script();
    long nowMicros = ticker == null ? 0 : ticker.micros();
    calls.increment();
    byte[][] names = call.batch().keyNames(keys);
    byte[][] arguments = call.arguments(nowMicros, extraTtlMillis);
    return withText
        ? link.commands().eval(script.text(), ScriptOutputType.VALUE, names, arguments)
        : link.commands().evalsha(script.sha(), ScriptOutputType.VALUE, names, arguments);
  }

  /** The number of calls made. */
  long calls() {
    return calls.sum();
  }
}
