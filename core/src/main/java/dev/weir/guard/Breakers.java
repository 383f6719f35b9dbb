package dev.weir.guard;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.guard.Breaker.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A breaker for each place of a store: where one does not answer, the others are asked. */
final class Breakers {
  private final Places places;
  private final GuardSettings settings;
  private final Map<String, Breaker> each = new ConcurrentHashMap<>();

  Breakers(Places places, GuardSettings settings) {
    this.places = places;
    this.settings = settings;
    places.all().keySet().forEach(this::at);
  }

  private Breaker at(String place) {
    Breaker known = each.get(place);
    return known != null ? known : each.computeIfAbsent(place, one -> new Breaker(settings));
  }

  /** What a breaker let through. */
  record Through(String place, Breaker breaker, long round) {
    /** Whether the breaker opens, because a request that was sent at {@code askedNanos} failed. */
    boolean failed(long askedNanos, long nowNanos) {
      return breaker.failed(round, askedNanos, nowNanos);
    }
  }

  /** What the breakers of all places let through that a request concerns. */
  record Pass(List<Through> all) {
    /** If it is alone on its way to see whether a place answers. */
    @Nullable Through probe() {
      Through one = all.size() == 1 ? all.get(0) : null;
      return one != null && one.breaker.isProbe(one.round) ? one : null;
    }

    void answered(long nowNanos) {
      for (Through one : all) {
        one.breaker.answered(one.round, nowNanos);
      }
    }

    /** Whose failure it is, if that can be said. */
    @Nullable Through blamed(Throwable failure) {
      if (all.size() == 1) {
        return all.get(0);
      }
      String place = failure instanceof StoreFailure known ? known.place().orElse(null) : null;
      return all.stream().filter(one -> one.place.equals(place)).findFirst().orElse(null);
    }
  }

  /** Lets a request through, if all places that it concerns are asked. */
  @Nullable Pass pass(List<Claim> claims, long nowNanos) {
    if (claims.isEmpty()) {
      return new Pass(List.of());
    }
    String place = places.of(claims.get(0).key());
    for (int i = 1; i < claims.size(); i++) {
      if (!places.of(claims.get(i).key()).equals(place)) {
        return passToSeveral(claims);
      }
    }
    Breaker breaker = at(place);
    return pass(place, breaker, breaker.pass(nowNanos));
  }

  /** No such request is a probe: it would say of none of them whether that answers. */
  private @Nullable Pass passToSeveral(List<Claim> claims) {
    List<Through> all = new ArrayList<>();
    for (String place : claims.stream().map(one -> places.of(one.key())).distinct().toList()) {
      Breaker breaker = at(place);
      long round = breaker.passIfClosed();
      if (round == Breaker.NO) {
        return null;
      }
      all.add(new Through(place, breaker, round));
    }
    return new Pass(all);
  }

  /** All places that there are, each with a key of nobody's that is kept there. */
  Map<String, LimitKey> places() {
    Map<String, LimitKey> now = places.all();
    each.keySet().retainAll(now.keySet());
    return now;
  }

  /** Lets somebody through who only wants to see whether a place answers. */
  @Nullable Pass passToSee(String place, long nowNanos) {
    Breaker breaker = at(place);
    return pass(place, breaker, breaker.passToSee(nowNanos));
  }

  private static @Nullable Pass pass(String place, Breaker breaker, long round) {
    return round == Breaker.NO ? null : new Pass(List.of(new Through(place, breaker, round)));
  }

  /** Whether a counter is where the store is asked, or answers and will be asked in a moment. */
  boolean isReachable(LimitKey key) {
    Breaker known = each.get(places.of(key));
    return known == null || known.isReachable();
  }

  State state(String place) {
    return at(place).state();
  }

  /** Where all of them stand: as far from closed as any. */
  State state() {
    State all = State.CLOSED;
    for (Breaker one : each.values()) {
      State state = one.state();
      all = state == State.OPEN || all == State.CLOSED ? state : all;
    }
    return all;
  }
}
