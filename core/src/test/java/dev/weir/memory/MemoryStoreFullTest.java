package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys without room take from a shared counter, and refunds return to it. */
class MemoryStoreFullTest {
  private final MemoryStore store = new MemoryStore(1, new ManualTicker(1_800_000_000_000_000L));
  private final LimitKey late = new LimitKey(2, 2);

  private void fill(Limit limit) {
    store.take(new Claim(limit, new LimitKey(1, 1), 1, 0));
  }

  @Test
  void aPermitHeldWithoutRoomIsReleased() {
    Limit limit = Limit.concurrent(1, Duration.ofHours(1));
    fill(Limit.fixedWindow(1, Duration.ofHours(1)));
    assertThat(store.take(Claim.hold(limit, late, 7)).allowed()).isTrue();
    assertThat(store.overflowed()).isEqualTo(1);
    store.refund(List.of(Claim.hold(limit, late, 7)));
    assertThat(store.take(Claim.hold(limit, late, 8)).allowed()).isTrue();
  }

  @Test
  void holdersWithoutRoomAreLimitedTogetherWhateverTheirNumbers() {
    Limit limit = Limit.concurrent(5, Duration.ofHours(1));
    fill(Limit.fixedWindow(1, Duration.ofHours(1)));
    int held = 0;
    for (int i = 10; i < 1_010; i++) {
      held += store.take(Claim.hold(limit, new LimitKey(i, i), 7)).allowed() ? 1 : 0;
    }
    assertThat(held).isEqualTo(5);
  }

  @Test
  void aRefundNeverGivesKeysWithoutRoomMoreThanTheirLimit() {
    Limit limit = Limit.tokenBucket(5, Duration.ofHours(1));
    fill(limit);
    int admitted = 0;
    for (int i = 10; i < 110; i++) {
      admitted += store.take(Claim.of(limit, new LimitKey(i, i))).allowed() ? 1 : 0;
      store.refund(List.of(Claim.of(limit, new LimitKey(-i, i))));
    }
    assertThat(admitted).isEqualTo(5);
  }

  @Test
  void limitsWithoutRoomDoNotResetEachOther() {
    fill(Limit.fixedWindow(1, Duration.ofHours(1)));
    Limit daily = Limit.fixedWindow(100, Duration.ofDays(1));
    int admitted = 0;
    for (int i = 1; i <= 2_000; i++) {
      Limit other = Limit.concurrent(1 + i % 500, Duration.ofSeconds(1 + i / 500));
      store.take(Claim.hold(other, late, i));
      admitted += store.take(Claim.of(daily, late)).allowed() ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(100);
  }

  @Test
  void requestWithANullClaimIsRejectedCompletely() {
    Limit limit = Limit.tokenBucket(5, Duration.ofHours(1));
    List<Claim> broken = new ArrayList<>();
    broken.add(Claim.of(limit, late));
    broken.add(null);
    assertThatThrownBy(() -> store.take(broken)).isInstanceOf(NullPointerException.class);
    assertThat(store.take(Claim.of(limit, late)).remaining()).isEqualTo(4);
  }
}
