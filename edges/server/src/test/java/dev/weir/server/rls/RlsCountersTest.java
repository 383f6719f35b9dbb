package dev.weir.server.rls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.key.KeySpace;
import dev.weir.rules.domain.Entry;
import dev.weir.rules.domain.Unit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The counters of Envoy's service, and the memory group that they belong to. */
class RlsCountersTest {
  private final RlsCounters counters = new RlsCounters(KeySpace.random());

  @Test
  void overridesShareTheMemoryOfOneRule() {
    Set<Long> groups = new HashSet<>();
    for (int permits = 1; permits <= 1_000; permits++) {
      List<Entry> entries = List.of(new Entry("user", "u" + permits));
      Claim claim = counters.strict("d", entries, permits, Unit.YEAR, 1);
      assertThat(claim.limit().permits()).isEqualTo(permits);
      groups.add(claim.limit().group());
    }
    assertThat(groups).hasSize(1);
  }
}
