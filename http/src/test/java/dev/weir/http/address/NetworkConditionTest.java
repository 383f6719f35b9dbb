package dev.weir.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rule.condition.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NetworkConditionTest {
  private static final long SEED = Long.getLong("weir.seed", new SplittableRandom().nextLong());

  @Test
  void addressMatchesExactlyTheNetworksThatContainIt() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Network> networks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int bits = 8 + random.nextInt(25);
      Ip v4 = Objects.requireNonNull(Ip.parse(address(random))).masked(bits);
      networks.add(Network.parse(v4 + "/" + bits));
      networks.add(Network.parse("2001:db8:" + Integer.toHexString(i) + "::/" + (48 + i % 3)));
    }
    Condition condition = NetworkCondition.of(networks);
    Condition.Index index = condition.newIndex().orElseThrow();
    for (int i = 0; i < networks.size(); i++) {
      index.add(NetworkCondition.of(List.of(networks.get(i))), i);
    }
    long inside = 0;
    for (int i = 0; i < 20_000; i++) {
      String text =
          i % 2 == 0 ? address(random) : "2001:db8:" + Integer.toHexString(i % 400) + "::1";
      Ip ip = Objects.requireNonNull(Ip.parse(text));
      Set<Integer> expected = new TreeSet<>();
      for (int n = 0; n < networks.size(); n++) {
        if (networks.get(n).contains(ip)) {
          expected.add(n);
        }
      }
      Set<Integer> found = new TreeSet<>();
      index.find(text, found::add);
      assertThat(found).as("seed %d, %s", SEED, text).isEqualTo(expected);
      assertThat(condition.test(text)).as("seed %d, %s", SEED, text).isEqualTo(!expected.isEmpty());
      inside += expected.isEmpty() ? 0 : 1;
    }
    assertThat(inside).isBetween(1_000L, 19_000L);
  }

  private static String address(SplittableRandom random) {
    return "10." + random.nextInt(256) + "." + random.nextInt(256) + "." + random.nextInt(256);
  }

  @Test
  void descriptionShowsTheFirstNetworks() {
    List<Network> many =
        Stream.iterate(1, i -> i + 1).limit(7).map(i -> Network.parse("10.0.0." + i)).toList();
    assertThat(NetworkCondition.of(many).expected())
        .isEqualTo("10.0.0.1 or 10.0.0.2 or 10.0.0.3 or 10.0.0.4 or 10.0.0.5 or one of 2 more");
  }

  @Test
  void malformedAddressIsInNoNetwork() {
    Condition condition = NetworkCondition.of(List.of(Network.parse("0.0.0.0/0")));
    assertThat(condition.test("1.2.3.4")).isTrue();
    assertThat(condition.test("somewhere")).isFalse();
  }
}
