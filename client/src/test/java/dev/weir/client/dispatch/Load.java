package dev.weir.client.dispatch;

import java.util.List;

/**
 * What a server saw of its clients.
 *
 * @param requests the requests that it received
 * @param admitted those that it admitted
 * @param requestsPerAdmitted how many requests it received for each one that it admitted
 * @param peakToMean the requests in the fullest tenth of a second, relative to the mean
 * @param dispersion the variance of the requests in a tenth of a second, relative to the mean: 1 if
 *     they come independently of each other, more if they come in waves
 * @param leastShare what the client with the fewest admitted requests got of an equal share
 */
record Load(
    int requests,
    int admitted,
    double requestsPerAdmitted,
    double peakToMean,
    double dispersion,
    double leastShare) {
  private static final long BUCKET_NANOS = 100_000_000;

  static Load of(LimitedServer server, long fromNanos, long toNanos, int clients) {
    List<Long> arrivals = server.arrivals();
    int[] buckets = new int[(int) ((toNanos - fromNanos) / BUCKET_NANOS)];
    for (long arrival : arrivals) {
      buckets[(int) Math.min(buckets.length - 1, (arrival - fromNanos) / BUCKET_NANOS)]++;
    }
    double mean = (double) arrivals.size() / buckets.length;
    double squares = 0;
    int peak = 0;
    for (int count : buckets) {
      squares += (count - mean) * (count - mean);
      peak = Math.max(peak, count);
    }
    int admitted = server.admitted().values().stream().mapToInt(count -> count).sum();
    int least =
        server.admitted().size() < clients
            ? 0
            : server.admitted().values().stream().mapToInt(count -> count).min().orElse(0);
    return new Load(
        arrivals.size(),
        admitted,
        (double) arrivals.size() / admitted,
        peak / mean,
        squares / buckets.length / mean,
        (double) least * clients / admitted);
  }

  @Override
  public String toString() {
    return String.format(
        "%.3f requests per admitted one, peak %.1f times the mean, dispersion %.2f, admitted %d,"
            + " least share %.2f",
        requestsPerAdmitted, peakToMean, dispersion, admitted, leastShare);
  }
}
