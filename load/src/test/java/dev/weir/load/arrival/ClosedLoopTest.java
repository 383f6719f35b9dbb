package dev.weir.load.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ClosedLoopTest {
  @Test
  void usersBeginOneAfterTheOtherAndThinkAfterEachAnswer() {
    Pace pace = new ClosedLoop(2, 100, 1_000);
    assertThat(pace.take()).isEqualTo(0);
    assertThat(pace.take()).isEqualTo(50);
    assertThat(pace.nextDueNanos()).as("both wait for answers").isEqualTo(Pace.NEVER);
    pace.onComplete(300);
    assertThat(pace.nextDueNanos()).isEqualTo(400);
  }

  @Test
  void nobodySendsAfterTheEnd() {
    Pace pace = new ClosedLoop(1, 100, 1_000);
    assertThat(pace.take()).isEqualTo(0);
    pace.onComplete(900);
    assertThat(pace.nextDueNanos()).isEqualTo(Pace.NEVER);
  }

  @Test
  void noUsersAreRefused() {
    assertThatThrownBy(() -> new ClosedLoop(0, 1, 1))
        .hasMessageStartingWith("users: 0 (expected: ");
  }
}
