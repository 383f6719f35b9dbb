package dev.weir.load;

import dev.weir.load.arrival.Pace;
import dev.weir.load.client.LoadClient;
import dev.weir.load.engine.LoadLoop;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Second;
import dev.weir.load.traffic.Traffic;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Offers load to one target, from one thread of its own.
 *
 * <p>Runs may follow each other and share connections. One thread at a time may use it.
 */
public final class LoadGenerator implements AutoCloseable {
  private final LoadClient client;

  /**
   * Creates a generator; connects when it runs.
   *
   * @param maxConnections how many connections there may be; a request that is due while all are in
   *     use waits for one, and its time counts
   */
  public LoadGenerator(Target target, int maxConnections) {
    client = new LoadClient(target.address(), maxConnections, System::nanoTime);
  }

  /**
   * The bounds of a run.
   *
   * @param duration how long requests are offered
   * @param timeout how long a client waits for an answer, from the time its request was due
   * @param maxInFlight how many requests may be in flight, or wait for a connection
   */
  public record Bounds(Duration duration, Duration timeout, int maxInFlight) {}

  /**
   * Opens connections and keeps them for the first requests.
   *
   * @return whether the server accepted all of them
   * @throws InterruptedException if this thread is interrupted
   */
  public boolean connect(int count) throws InterruptedException {
    return client.connect(count);
  }

  /**
   * Offers load, and waits until every request has ended.
   *
   * @param listener gets each second that is over, on the thread that sends
   * @throws InterruptedException if this thread is interrupted
   */
  public LoadResult run(Pace pace, Traffic traffic, Bounds bounds, Consumer<Second> listener)
      throws InterruptedException {
    LoadLoop.Limits limits =
        new LoadLoop.Limits(
            bounds.duration().toNanos(), bounds.timeout().toNanos(), bounds.maxInFlight());
    return client.run(pace, traffic, limits, listener);
  }

  @Override
  public void close() {
    client.close();
  }
}
