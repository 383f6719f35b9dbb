package dev.weir.cli.top;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.DaemonThreads;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.ServerClient;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code /live} of a server on a thread of its own, and connects again when it must: after
 * half a second at first, and ten at most.
 *
 * <p>A failure before the first event is final, because somebody has just typed the address. After
 * that only a refused token is, which no waiting mends.
 *
 * <p>Thread-safe.
 */
final class LiveStream implements AutoCloseable {
  /** Without an event for so long, the connection is taken for dead. */
  private static final Duration SILENCE = Duration.ofSeconds(9);

  private static final Duration MIN_PAUSE = Duration.ofMillis(500);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final Set<Integer> REFUSED = Set.of(401, 403);

  private final AdminClient client;
  private final InstantSource clock;
  private @Nullable LiveState state;
  private @Nullable Failure problem;
  private @Nullable Failure fatal;
  private @Nullable InputStream open;
  private Instant heard;
  private boolean closed;

  LiveStream(AdminClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
    this.heard = clock.instant();
  }

  /** Begins to read. */
  void start() {
    DaemonThreads.create(this::read).start();
  }

  /**
   * The first state.
   *
   * @throws Failure if there is none in time
   */
  LiveState first(Duration atMost) throws Failure, InterruptedException {
    Instant end = clock.instant().plus(atMost);
    for (Instant now = clock.instant(); now.isBefore(end); now = clock.instant()) {
      LiveState found = await(null, Duration.between(now, end));
      if (found != null) {
        return found;
      }
    }
    throw failure("no event within " + atMost.toSeconds() + " s");
  }

  /**
   * The newest state, once it is another one than {@code known}, or after a while.
   *
   * @return null if there is none yet
   * @throws Failure if there will never be another one
   */
  @SuppressWarnings({"ReferenceEquality", "WaitNotInLoop"}) // whoever waits looks again anyway
  synchronized @Nullable LiveState await(@Nullable LiveState known, Duration atMost)
      throws Failure, InterruptedException {
    if (state == known && fatal == null) {
      wait(Math.max(1, atMost.toMillis()));
    }
    if (fatal != null) {
      throw fatal;
    }
    return state;
  }

  /** Why there is no newer state; empty if the connection is open. */
  synchronized String problem() {
    return problem == null ? "" : String.valueOf(problem.getMessage());
  }

  /** Ends a connection on which nothing has come for long, so that another one is tried. */
  void endSilence() {
    InputStream silent = null;
    synchronized (this) {
      if (open != null && heard.plus(SILENCE).isBefore(clock.instant())) {
        silent = open;
        open = null;
      }
    }
    closeQuietly(silent);
  }

  @Override
  public void close() {
    InputStream last;
    synchronized (this) {
      closed = true;
      last = open;
      open = null;
      notifyAll();
    }
    closeQuietly(last);
  }

  private void read() {
    Duration pause = MIN_PAUSE;
    while (!isClosed()) {
      Instant before = heard();
      try {
        readStream();
        fail(failure("the server ended the connection"), false);
      } catch (Failure e) {
        fail(e, false);
      } catch (IOException e) {
        fail(failure(reason(e)), false);
      } catch (RuntimeException e) {
        fail(failure("unexpected " + e), true); // a bug; without this thread nothing is live
      }
      // Half a second again only after a connection that brought something.
      pause = heard().isAfter(before.plus(MAX_PAUSE)) ? MIN_PAUSE : pause;
      sleep(pause);
      pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause.multipliedBy(2);
    }
  }

  private void readStream() throws Failure, IOException {
    ServerClient.Stream stream = client.events("/live");
    if (stream.status() != OK) {
      Failure failure = client.refusal(stream);
      fail(failure, REFUSED.contains(stream.status()));
      throw failure;
    }
    try (InputStream body = stream.body()) {
      opened(body);
      EventReader events = new EventReader(body);
      for (EventReader.Event event = events.next();
          event != null && !isClosed();
          event = events.next()) {
        show(event);
      }
    }
  }

  private synchronized String reason(IOException e) {
    if (open == null) { // this end has closed it
      return "no event for " + SILENCE.toSeconds() + " s";
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private synchronized void opened(InputStream body) {
    open = body;
    heard = clock.instant();
  }

  private synchronized void show(EventReader.Event event) {
    heard = clock.instant();
    state = LiveState.after(state, event, heard);
    problem = null;
    notifyAll();
  }

  private synchronized void fail(Failure failure, boolean forever) {
    open = null;
    problem = failure;
    if (forever || state == null) {
      fatal = fatal == null ? failure : fatal;
      closed = true;
    }
    notifyAll();
  }

  private Failure failure(String why) {
    return new Failure(ExitCode.USAGE, client.authority() + ": " + why);
  }

  private synchronized Instant heard() {
    return heard;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @SuppressWarnings("WaitNotInLoop") // an early attempt does no harm
  private synchronized void sleep(Duration duration) {
    try {
      if (!closed) {
        wait(duration.toMillis());
      }
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  private static void closeQuietly(@Nullable InputStream in) {
    if (in != null) {
      try {
        in.close();
      } catch (IOException e) {
        // It is gone, which was the aim.
      }
    }
  }
}
