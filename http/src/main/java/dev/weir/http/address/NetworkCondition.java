package dev.weir.http.address;

import dev.weir.rule.condition.Condition;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The exact address of the client, not only its counted prefix, is in one of these networks.
 * Immutable.
 */
public final class NetworkCondition implements Condition {
  private static final int MAX_SHOWN = 5;

  private final List<Network> networks;
  private final NetworkMap<Network> map = new NetworkMap<>();

  private NetworkCondition(List<Network> networks) {
    this.networks = networks;
    networks.forEach(network -> map.add(network, network));
  }

  /** A condition that holds for the addresses in any of these networks. */
  public static Condition of(List<Network> networks) {
    return new NetworkCondition(List.copyOf(networks));
  }

  @Override
  public String name() {
    return "ip exact";
  }

  @Override
  public boolean test(String value) {
    Ip address = Ip.parse(value);
    return address != null && map.contains(address);
  }

  /** The first few networks, and the number of the others. */
  @Override
  public String expected() {
    List<String> shown = networks.stream().limit(MAX_SHOWN).map(Network::toString).toList();
    int more = networks.size() - shown.size();
    return String.join(" or ", shown) + (more == 0 ? "" : " or one of " + more + " more");
  }

  @Override
  public Set<?> indexKeys() {
    return new HashSet<>(networks);
  }

  @Override
  public Optional<Index> newIndex() {
    return Optional.of(new NetworkIndex());
  }

  private static final class NetworkIndex implements Index {
    private final NetworkMap<Integer> numbers = new NetworkMap<>();

    @Override
    public void add(Condition condition, int number) {
      ((NetworkCondition) condition).networks.forEach(network -> numbers.add(network, number));
    }

    @Override
    public void find(String value, IntConsumer met) {
      Ip address = Ip.parse(value);
      if (address != null) {
        numbers.find(address, met::accept);
      }
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NetworkCondition that && networks.equals(that.networks);
  }

  @Override
  public int hashCode() {
    return networks.hashCode();
  }

  @Override
  public String toString() {
    return name() + " in " + expected();
  }
}
