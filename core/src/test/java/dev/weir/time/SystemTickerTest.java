package dev.weir.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.time.SystemTicker.Anchor;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SystemTickerTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void followsTheWallClockAcrossRenewalsAndNeverRunsBack() {
    long last = 0;
    long end = System.nanoTime() + 2_200_000_000L;
    while (System.nanoTime() < end) {
      long before = wallMicros();
      long ticked = Ticker.system().micros();
      long after = wallMicros();
      assertThat(ticked).isGreaterThanOrEqualTo(last);
      assertThat(ticked).isBetween(before - 10_000, after + 10_000);
      last = ticked;
    }
  }

  @Test
  void aThreadDescheduledBetweenTheClocksReadsThemAgain() {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger reads = new AtomicInteger();
    Anchor anchor =
        Anchor.read(
            () -> nanos.addAndGet(1_000),
            () -> {
              // Descheduled for 18 ms at the first reading, and for 2 ms at the second.
              long stall = reads.get() == 0 ? 18_000_000 : reads.get() == 1 ? 2_000_000 : 0;
              reads.incrementAndGet();
              return 100 * SECOND + nanos.addAndGet(stall);
            });
    assertThat(reads).hasValue(3);
    long now = nanos.get();
    assertThat(anchor.at(now))
        .isBetween((100 * SECOND + now) / 1_000 - 10, (100 * SECOND + now) / 1_000);
    AtomicLong slow = new AtomicLong();
    Anchor always = Anchor.read(() -> slow.addAndGet(5_000_000), () -> 100 * SECOND + slow.get());
    assertThat(slow).as("bounded, however slow").hasValue(20 * 2 * 5_000_000);
    assertThat(always.at(slow.get())).isEqualTo((100 * SECOND + slow.get()) / 1_000);
  }

  @Test
  void aWallClockThatStepsForwardIsFollowed() {
    Anchor anchor = Anchor.of(0, 100 * SECOND);
    Anchor renewed = anchor.renewed(SECOND, 161 * SECOND);
    assertThat(renewed.at(SECOND)).isEqualTo(161_000_000);
    assertThat(renewed.at(2 * SECOND)).isEqualTo(162_000_000);
  }

  @Test
  void aWallClockThatStepsBackIsApproachedAtHalfSpeed() {
    Anchor anchor = Anchor.of(0, 100 * SECOND);
    // The wall clock is set back by two seconds at second 1: it shows 99, the ticker 101.
    Anchor slow = anchor.renewed(SECOND, 99 * SECOND);
    assertThat(slow.at(SECOND)).isEqualTo(101_000_000);
    assertThat(slow.at(3 * SECOND)).isEqualTo(102_000_000);
    // Four seconds later both show 103, although the anchor was not renewed.
    assertThat(slow.at(5 * SECOND)).isEqualTo(103_000_000);
    assertThat(slow.at(3_605 * SECOND)).isEqualTo(3_703_000_000L);
    assertThat(slow.renewed(5 * SECOND, 103 * SECOND).at(6 * SECOND)).isEqualTo(104_000_000);
  }

  @Test
  void aWallClockThatStepsBackFarIsFollowed() {
    Anchor ahead = Anchor.of(0, 100 * SECOND).renewed(SECOND, 86_501 * SECOND);
    assertThat(ahead.at(2 * SECOND)).isEqualTo(86_502_000_000L);
    Anchor back = ahead.renewed(3 * SECOND, 103 * SECOND);
    assertThat(back.at(3 * SECOND)).isEqualTo(103_000_000);
    assertThat(back.at(4 * SECOND)).isEqualTo(104_000_000);
    Anchor slow = back.renewed(5 * SECOND, 95 * SECOND);
    assertThat(slow.at(5 * SECOND)).as("ten seconds are made up for").isEqualTo(105_000_000);
  }

  @Test
  void aDifferenceCausedByReadingTwoClocksIsIgnored() {
    Anchor anchor = Anchor.of(0, 100 * SECOND);
    for (long difference : new long[] {-4_000_000, -1_000, 1_000, 4_000_000}) {
      Anchor renewed = anchor.renewed(SECOND, 101 * SECOND + difference);
      assertThat(renewed.at(SECOND)).isEqualTo(101_000_000);
      assertThat(renewed.at(2 * SECOND)).isEqualTo(102_000_000);
    }
  }

  private static long wallMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
