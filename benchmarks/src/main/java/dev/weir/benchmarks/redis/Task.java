package dev.weir.benchmarks.redis;

/**
 * What one process is asked to do, as a line of text.
 *
 * @param threads that ask one after the other, each as fast as it is answered
 * @param callers they ask for: one, or that many at random
 */
record Task(Contestants contestant, int threads, int callers, long millis) {

  static Task parse(String line) {
    String[] words = line.split(" ", -1);
    return new Task(
        Contestants.valueOf(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Long.parseLong(words[3]));
  }

  String line() {
    return contestant.name() + " " + threads + " " + callers + " " + millis;
  }
}
