package dev.weir.redis.batch;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.redis.script.RedisKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests that are sent in one call of a script; all their counters are in one slot. */
final class Batch {
  private final List<PendingRequest> requests;
  private final List<CoalescedRequest> coalesced = new ArrayList<>();
  private final Interner<LimitKey> keys = new Interner<>();

  Batch(List<PendingRequest> requests) {
    this.requests = requests;
    Map<LimitKey, CoalescedRequest> last = new HashMap<>();
    for (PendingRequest request : requests) {
      CoalescedRequest before = last.get(request.claims.get(0).key());
      if (before != null && before.matches(request)) {
        before.requests.add(request);
        continue;
      }
      CoalescedRequest next = new CoalescedRequest(request);
      coalesced.add(next);
      for (Claim claim : request.claims) {
        last.put(claim.key(), next);
        keys.number(claim.key());
      }
    }
  }

  List<PendingRequest> requests() {
    return requests;
  }

  /** The requests in their order, identical takes from one counter joined. */
  List<CoalescedRequest> coalesced() {
    return coalesced;
  }

  /** The index of a counter among the keys of the script, from 1. */
  int keyIndex(LimitKey key) {
    return keys.number(key);
  }

  /** The keys of the script. */
  byte[][] keyNames(RedisKeys names) {
    return keys.values().stream().map(names::name).toArray(byte[][]::new);
  }

  /** Whether {@code takes.lua} can decide it: plain takes, of one kind from each counter. */
  boolean isPlain() {
    if (coalesced.size() != keys.values().size()) {
      return false;
    }
    for (CoalescedRequest request : coalesced) {
      if (!request.isPlain()) {
        return false;
      }
    }
    return true;
  }
}
