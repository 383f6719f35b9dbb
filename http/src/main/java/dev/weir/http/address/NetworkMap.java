package dev.weir.http.address;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Maps networks to values. Finding the values for an address takes one lookup for each prefix
 * length that occurs, however many networks there are.
 */
final class NetworkMap<T> {
  private final Map<Integer, Map<Ip, List<T>>> v4 = new HashMap<>();
  private final Map<Integer, Map<Ip, List<T>>> v6 = new HashMap<>();

  void add(Network network, T value) {
    (network.first().isIpv4() ? v4 : v6)
        .computeIfAbsent(network.bits(), absent -> new HashMap<>())
        .computeIfAbsent(network.first(), absent -> new ArrayList<>(1))
        .add(value);
  }

  /** Passes on the values of all networks that contain an address. */
  void find(Ip address, Consumer<? super T> found) {
    for (Map.Entry<Integer, Map<Ip, List<T>>> length : (address.isIpv4() ? v4 : v6).entrySet()) {
      length.getValue().getOrDefault(address.masked(length.getKey()), List.of()).forEach(found);
    }
  }

  /** Whether any network contains an address. */
  boolean contains(Ip address) {
    for (Map.Entry<Integer, Map<Ip, List<T>>> length : (address.isIpv4() ? v4 : v6).entrySet()) {
      if (length.getValue().containsKey(address.masked(length.getKey()))) {
        return true;
      }
    }
    return false;
  }
}
