package dev.weir.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Things filed under networks: those whose network holds an address are found by a look for each
 * length of prefix that occurs, however many networks there are.
 */
final class NetworkMap<T> {
  private final Map<Integer, Map<Ip, List<T>>> v4 = new HashMap<>();
  private final Map<Integer, Map<Ip, List<T>>> v6 = new HashMap<>();

  void add(Network network, T thing) {
    (network.first().isIpv4() ? v4 : v6)
        .computeIfAbsent(network.bits(), absent -> new HashMap<>())
        .computeIfAbsent(network.first(), absent -> new ArrayList<>(1))
        .add(thing);
  }

  void find(Ip address, Consumer<? super T> found) {
    for (Map.Entry<Integer, Map<Ip, List<T>>> one : (address.isIpv4() ? v4 : v6).entrySet()) {
      one.getValue().getOrDefault(address.masked(one.getKey()), List.of()).forEach(found);
    }
  }

  boolean holds(Ip address) {
    for (Map.Entry<Integer, Map<Ip, List<T>>> one : (address.isIpv4() ? v4 : v6).entrySet()) {
      if (one.getValue().containsKey(address.masked(one.getKey()))) {
        return true;
      }
    }
    return false;
  }
}
