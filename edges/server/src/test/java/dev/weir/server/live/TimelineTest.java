package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private final Timeline timeline = new Timeline();

  @Test
  void secondsAreTheLastOnesTheOldestFirst() {
    for (int second = 0; second < 5; second++) {
      timeline.add(second, 10 + second);
    }
    assertThat(timeline.seconds(4, 3)).containsExactly(12, 13, 14);
    assertThat(timeline.seconds(4, 7)).containsExactly(0, 0, 10, 11, 12, 13, 14);
    assertThat(timeline.sum(4, 3)).isEqualTo(39);
  }

  @Test
  void secondsAreForgottenAfterAQuarterOfAnHour() {
    for (int second = 0; second < 2 * Timeline.SECONDS; second++) {
      timeline.add(second, second);
    }
    int last = 2 * Timeline.SECONDS - 1;
    assertThat(timeline.seconds(last, Timeline.SECONDS))
        .containsExactly(IntStream.rangeClosed(Timeline.SECONDS, last).toArray());
  }

  @Test
  void minutesAreSumsOfTheirSecondsAndForgottenAfterADay() {
    int days = 2 * Timeline.MINUTES * 60;
    for (int second = 0; second < days; second++) {
      timeline.add(second, second / 60);
    }
    int[] minutes = timeline.minutes(days - 1, Timeline.MINUTES - 1);
    int last = days / 60 - 1; // the minute that is being counted is not shown
    assertThat(minutes[minutes.length - 1]).isEqualTo(60 * (last - 1));
    assertThat(minutes[0]).isEqualTo(60 * (last - Timeline.MINUTES + 1));
  }

  @Test
  void valuesBeyondAnIntAreBounded() {
    timeline.add(0, Long.MAX_VALUE);
    timeline.add(1, -5);
    assertThat(timeline.seconds(1, 2)).containsExactly(Integer.MAX_VALUE, 0);
  }
}
