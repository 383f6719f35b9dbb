package dev.weir.spring.method.call;

import dev.weir.spring.method.expression.CostExpression;
import dev.weir.spring.method.expression.KeyExpression;
import dev.weir.spring.method.expression.MethodCall;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One annotation of one method. Thread-safe.
 *
 * @param cost null for permits that are held, of which a call takes one
 * @param fallback null if there is none
 */
record MethodLimit(
    Gate gate, KeyExpression key, @Nullable CostExpression cost, @Nullable Fallback fallback) {

  Held take(MethodCall call) throws InterruptedException {
    return gate.take(key.of(call), costOf(call));
  }

  CompletableFuture<Held> takeAsync(MethodCall call) {
    return gate.takeAsync(key.of(call), costOf(call));
  }

  /** Whether permits are held while a call runs, rather than spent. */
  boolean isHeld() {
    return cost == null;
  }

  private long costOf(MethodCall call) {
    return cost == null ? 1 : cost.of(call);
  }
}
