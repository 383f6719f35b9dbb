package dev.weir.redis;

import dev.weir.LimitKey;
import dev.weir.guard.Places;
import java.util.HashMap;
import java.util.Map;

/** The servers of a cluster, by what they are to the cluster: names outlast addresses. */
final class ClusterPlaces implements Places {
  /** Among so many counters there is one for each server, unless it has next to no slots. */
  private static final int MAX_TRIES = 16_384;

  private final Link link;

  ClusterPlaces(Link link) {
    this.link = link;
  }

  @Override
  public String of(LimitKey key) {
    return link.place(key).server();
  }

  @Override
  public Map<String, LimitKey> all() {
    int servers = link.servers().size();
    Map<String, LimitKey> all = new HashMap<>();
    for (int i = 0; i < MAX_TRIES && all.size() < servers; i++) {
      LimitKey nobody = new LimitKey(i, 0);
      String server = of(nobody);
      if (!server.isEmpty()) {
        all.putIfAbsent(server, nobody);
      }
    }
    return all;
  }

  @Override
  public String name(String place) {
    return link.servers().getOrDefault(place, place);
  }
}
