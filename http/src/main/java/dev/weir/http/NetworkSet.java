package dev.weir.http;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Many networks, asked as one: a look for each length of prefix that occurs, however many networks
 * there are.
 */
public final class NetworkSet {
  private static final int SHOWN = 5;

  private final List<Network> networks;
  private final Map<Integer, Set<Ip>> v4 = new HashMap<>();
  private final Map<Integer, Set<Ip>> v6 = new HashMap<>();

  private NetworkSet(List<Network> networks) {
    this.networks = networks;
    for (Network network : networks) {
      Map<Integer, Set<Ip>> family = network.first().isIpv4() ? v4 : v6;
      family.computeIfAbsent(network.bits(), absent -> new HashSet<>()).add(network.first());
    }
  }

  public static NetworkSet of(Collection<Network> networks) {
    return new NetworkSet(List.copyOf(networks));
  }

  public boolean contains(Ip address) {
    for (Map.Entry<Integer, Set<Ip>> one : (address.isIpv4() ? v4 : v6).entrySet()) {
      if (one.getValue().contains(address.masked(one.getKey()))) {
        return true;
      }
    }
    return false;
  }

  /** The first few, and how many more. */
  @Override
  public String toString() {
    List<String> shown = networks.stream().limit(SHOWN).map(Network::toString).toList();
    int more = networks.size() - shown.size();
    return String.join(" or ", shown) + (more == 0 ? "" : " or one of " + more + " more");
  }
}
