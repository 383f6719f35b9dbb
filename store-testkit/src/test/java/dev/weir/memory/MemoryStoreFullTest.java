package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.testkit.ManualTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was charged to a shared counter, for want of room, is given back to that counter. */
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
  void permitsTakenWithoutRoomAreGivenBack() {
    Limit limit = Limit.tokenBucket(5, Duration.ofHours(1));
    fill(limit);
    assertThat(store.take(Claim.of(limit, late, 5)).allowed()).isTrue();
    assertThat(store.overflowed()).isEqualTo(1);
    store.refund(List.of(Claim.of(limit, late, 5)));
    assertThat(store.take(Claim.of(limit, late, 5)).allowed()).isTrue();
  }
}
