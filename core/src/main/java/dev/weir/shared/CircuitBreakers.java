package dev.weir.shared;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.shared.CircuitBreaker.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One circuit breaker for each shard of a store, so that shards which answer serve calls while
 * others are rejected. Safe for use by any number of threads.
 */
final class CircuitBreakers {
  private final Shards shards;
  private final GuardSettings settings;
  private final Map<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();

  /** Whether breakers of new shards begin open, because no shard has answered since the start. */
  private volatile boolean beginOpen;

  private volatile long beganNanos;

  CircuitBreakers(Shards shards, GuardSettings settings) {
    this.shards = shards;
    this.settings = settings;
    shards.all().keySet().forEach(this::breaker);
  }

  private CircuitBreaker breaker(String shard) {
    CircuitBreaker known = breakers.get(shard);
    return known != null ? known : breakers.computeIfAbsent(shard, one -> newBreaker());
  }

  private CircuitBreaker newBreaker() {
    CircuitBreaker breaker = new CircuitBreaker(settings);
    if (beginOpen) {
      breaker.open(beganNanos);
    }
    return breaker;
  }

  /**
   * Opens the breaker of a shard that cannot be reached at the start. Until a breaker closes for
   * the first time, those of other shards begin open too: a store may know its shards only once
   * there is a connection, and none of them gets requests before the pending charges.
   */
  void openAtStart(String shard, long nowNanos) {
    beganNanos = nowNanos;
    beginOpen = true;
    breaker(shard).open(nowNanos);
  }

  /** Called when a breaker closes: the store can be reached. */
  void onClosed() {
    beginOpen = false;
  }

  /** The permission of one breaker for a call. */
  record Permission(String shard, CircuitBreaker breaker, long generation) {
    /**
     * Records a failure of a call sent at {@code sentNanos}; returns whether the breaker opened.
     */
    boolean onFailure(long sentNanos, long nowNanos) {
      return breaker.onFailure(generation, sentNanos, nowNanos);
    }
  }

  /** The permissions of the breakers of all shards that a call concerns. */
  record Permissions(List<Permission> all) {
    /** The permission, if the call is a probe; otherwise null. */
    @Nullable Permission probe() {
      Permission one = all.size() == 1 ? all.get(0) : null;
      return one != null && one.breaker.isProbe(one.generation) ? one : null;
    }

    void onSuccess(long nowNanos) {
      for (Permission one : all) {
        one.breaker.onSuccess(one.generation, nowNanos);
      }
    }

    /** The permission of the shard that caused the failure; null if the shard is unknown. */
    @Nullable Permission failed(Throwable failure) {
      if (all.size() == 1) {
        return all.get(0);
      }
      String shard = failure instanceof StoreFailure known ? known.shard().orElse(null) : null;
      return all.stream().filter(one -> one.shard.equals(shard)).findFirst().orElse(null);
    }
  }

  /** Lets a call through if the breakers of all its shards do; otherwise returns null. */
  @Nullable Permissions tryPass(List<Claim> claims, long nowNanos) {
    if (claims.isEmpty()) {
      return new Permissions(List.of());
    }
    String shard = shards.shardOf(claims.get(0).key());
    for (int i = 1; i < claims.size(); i++) {
      if (!shards.shardOf(claims.get(i).key()).equals(shard)) {
        return tryPassToSeveral(claims);
      }
    }
    CircuitBreaker breaker = breaker(shard);
    return permissions(shard, breaker, breaker.tryPass(nowNanos));
  }

  /** A call to several shards is no probe: its failure would not say which of them is gone. */
  private @Nullable Permissions tryPassToSeveral(List<Claim> claims) {
    List<Permission> all = new ArrayList<>();
    for (String shard : claims.stream().map(one -> shards.shardOf(one.key())).distinct().toList()) {
      CircuitBreaker breaker = breaker(shard);
      long generation = breaker.tryPassIfClosed();
      if (generation == CircuitBreaker.REJECTED) {
        return null;
      }
      all.add(new Permission(shard, breaker, generation));
    }
    return new Permissions(all);
  }

  /** The current shards, each with a key in it for probes; breakers of other shards are dropped. */
  Map<String, LimitKey> refreshShards() {
    Map<String, LimitKey> current = shards.all();
    breakers.keySet().retainAll(current.keySet());
    return current;
  }

  /** Lets a health probe of a shard through, or returns null. */
  @Nullable Permissions tryPassHealthProbe(String shard, long nowNanos) {
    CircuitBreaker breaker = breaker(shard);
    return permissions(shard, breaker, breaker.tryPassHealthProbe(nowNanos));
  }

  private static @Nullable Permissions permissions(
      String shard, CircuitBreaker breaker, long generation) {
    return generation == CircuitBreaker.REJECTED
        ? null
        : new Permissions(List.of(new Permission(shard, breaker, generation)));
  }

  /** Whether pending charges can be sent to the shard of a key. */
  boolean isReachable(LimitKey key) {
    CircuitBreaker known = breakers.get(shards.shardOf(key));
    return known == null || known.isReachable();
  }

  State state(String shard) {
    return breaker(shard).state();
  }

  /** The worst state of all breakers: open before half-open before closed. */
  State state() {
    State worst = State.CLOSED;
    for (CircuitBreaker one : breakers.values()) {
      State state = one.state();
      worst = state == State.OPEN || worst == State.CLOSED ? state : worst;
    }
    return worst;
  }
}
