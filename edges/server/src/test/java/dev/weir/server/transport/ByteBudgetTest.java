package dev.weir.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.transport.ByteBudget.Share;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
  private static final int FREE = ByteBudget.FREE_BYTES;

  @Test
  void allSharesTogetherStayWithinTheBudget() {
    ByteBudget budget = new ByteBudget(10_000);
    List<Share> shares = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Share share = budget.share();
      assertThat(share.grow(FREE)).isTrue();
      assertThat(share.grow(1_000)).isTrue();
      shares.add(share);
    }
    assertThat(budget.used()).isEqualTo(10_000);
    assertThat(shares.get(0).grow(1)).isFalse();
    assertThat(budget.share().grow(FREE + 1)).isFalse();
    assertThat(budget.share().grow(FREE)).as("small ones come through").isTrue();
    shares.get(0).end();
    shares.get(0).end();
    assertThat(budget.used()).isEqualTo(9_000);
    assertThat(shares.get(0).grow(1)).as("it has ended").isFalse();
    assertThat(shares.get(1).grow(1_000)).isTrue();
    shares.forEach(Share::end);
    assertThat(budget.used()).isZero();
  }
}
