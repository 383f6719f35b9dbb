package dev.weir.benchmarks.redis;

/**
 * The task of one process, as a line of text.
 *
 * @param threads the threads, each of which calls as fast as it gets answers
 * @param callers the number of callers: one, or that many at random
 */
record Task(ContestantType contestant, int threads, int callers, long millis) {

  static Task parse(String line) {
    String[] words = line.split(" ", -1);
    return new Task(
        ContestantType.valueOf(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Long.parseLong(words[3]));
  }

  String line() {
    return contestant.name() + " " + threads + " " + callers + " " + millis;
  }
}
