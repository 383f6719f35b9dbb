package dev.weir.examples.ridehailing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last rides of the riders who were here last. */
final class Rides {
  private static final int MAX_RIDERS = 10_000;
  private static final int MAX_RIDES = 20;

  private final Map<String, Deque<Ride>> byRider =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Ride>> eldest) {
          return size() > MAX_RIDERS;
        }
      };

  synchronized void add(String rider, Ride ride) {
    Deque<Ride> rides = byRider.computeIfAbsent(rider, first -> new ArrayDeque<>());
    rides.addFirst(ride);
    if (rides.size() > MAX_RIDES) {
      rides.removeLast();
    }
  }

  synchronized List<Ride> of(String rider) {
    return List.copyOf(byRider.getOrDefault(rider, new ArrayDeque<>()));
  }
}
