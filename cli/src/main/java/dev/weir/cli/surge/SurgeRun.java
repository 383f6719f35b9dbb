package dev.weir.cli.surge;

import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Second;
import java.util.ArrayList;
import java.util.List;

/**
 * One of the two runs.
 *
 * @param surge the result of the surge alone
 * @param seconds the ordinary time before it and the surge, by second
 */
record SurgeRun(LoadResult surge, List<Second> seconds) {
  /** Joins the ordinary time, as long as it was meant to be, with the surge after it. */
  static SurgeRun of(int ordinarySeconds, LoadResult ordinary, LoadResult surge) {
    List<Second> seconds = new ArrayList<>();
    for (Second second : ordinary.seconds()) {
      if (second.index() < ordinarySeconds) {
        seconds.add(second);
      }
    }
    int start = seconds.size();
    surge.seconds().forEach(second -> seconds.add(second.at(start + second.index())));
    return new SurgeRun(surge, List.copyOf(seconds));
  }
}
