package dev.weir.http;

import dev.weir.rule.Condition;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The client's whole address, not only the prefix it is counted by, is in one of these networks.
 */
public final class NetworkCondition implements Condition {
  private static final int SHOWN = 5;

  private final List<Network> networks;
  private final NetworkMap<Network> map = new NetworkMap<>();

  private NetworkCondition(List<Network> networks) {
    this.networks = networks;
    networks.forEach(network -> map.add(network, network));
  }

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
    return address != null && map.holds(address);
  }

  /** The first few, and how many more. */
  @Override
  public String expected() {
    List<String> shown = networks.stream().limit(SHOWN).map(Network::toString).toList();
    int more = networks.size() - shown.size();
    return String.join(" or ", shown) + (more == 0 ? "" : " or one of " + more + " more");
  }

  @Override
  public Set<?> places() {
    return new HashSet<>(networks);
  }

  @Override
  public Optional<Filing> filing() {
    return Optional.of(new NetworkFiling());
  }

  private static final class NetworkFiling implements Filing {
    private final NetworkMap<Integer> filed = new NetworkMap<>();

    @Override
    public void add(Condition condition, int number) {
      ((NetworkCondition) condition).networks.forEach(network -> filed.add(network, number));
    }

    @Override
    public void find(String value, IntConsumer met) {
      Ip address = Ip.parse(value);
      if (address != null) {
        filed.find(address, met::accept);
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
