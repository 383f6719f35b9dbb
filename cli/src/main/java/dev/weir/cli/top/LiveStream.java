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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code /live} of a server on a thread of its own, and connects again when it must.
 *
 * <p>Thread-safe.
 */
final class LiveStream implements AutoCloseable {
  /** Without an event for so long, the connection is taken for dead. */
  static final Duration SILENCE = Duration.ofSeconds(9);

  private static final Duration MIN_PAUSE = Duration.ofMillis(500);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);
  private static final Duration ACTIONS_EVERY = Duration.ofSeconds(2);
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY = 429;

  private final AdminClient client;
  private final InstantSource clock;
  private @Nullable LiveState state;
  private @Nullable Failure problem;
  private @Nullable Failure fatal;
  private @Nullable InputStream open;
  private boolean closed;

  // Used by the reading thread only.
  private @Nullable List<Fields> actions;
  private Instant actionsRead = Instant.EPOCH;
  private boolean withActions = true;

  LiveStream(AdminClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Begins to read. */
  void start() {
    DaemonThreads.create(this::read).start();
  }

  /**
   * The newest state, once it is another one than {@code known}, or after a while.
   *
   * @return null if there is none yet
   * @throws Failure if there will never be one
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
  void interruptSilence() {
    InputStream silent;
    synchronized (this) {
      if (state == null || !state.received().plus(SILENCE).isBefore(clock.instant())) {
        return;
      }
      silent = open;
      open = null;
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
      Instant begun = clock.instant();
      try {
        readStream();
        fail(new Failure(ExitCode.USAGE, client.authority() + ": ended the connection"), false);
      } catch (Failure e) {
        fail(e, false);
      } catch (IOException e) {
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        fail(new Failure(ExitCode.USAGE, client.authority() + ": " + why), false);
      }
      boolean worked = Duration.between(begun, clock.instant()).compareTo(MAX_PAUSE) > 0;
      pause = worked ? MIN_PAUSE : pause;
      sleep(pause);
      pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause.multipliedBy(2);
    }
  }

  private void readStream() throws Failure, IOException {
    ServerClient.Stream stream = client.events("/live");
    if (stream.status() != 200) {
      Failure failure = client.refusal(stream);
      // Asking again does not help those who may not, or have the wrong address.
      fail(failure, stream.status() / 100 == 4 && stream.status() != TOO_MANY);
      throw failure;
    }
    synchronized (this) {
      open = stream.body();
    }
    try (InputStream body = stream.body()) {
      EventReader events = new EventReader(body);
      EventReader.Event event = events.next();
      while (event != null && !isClosed()) {
        readActions();
        show(event);
        event = events.next();
      }
    }
  }

  private synchronized void show(EventReader.Event event) {
    LiveState before = event.name().equals("snapshot") ? null : state;
    state = LiveState.after(before, event.data(), actions, clock.instant());
    problem = null;
    notifyAll();
  }

  private void readActions() {
    if (!withActions || clock.instant().isBefore(actionsRead.plus(ACTIONS_EVERY))) {
      return;
    }
    actionsRead = clock.instant();
    try {
      AdminClient.Answer answer = client.ask("/actions");
      withActions = answer.status() != NOT_FOUND;
      actions = answer.status() == 200 ? Fields.of(answer.json()).objects("actions") : actions;
    } catch (Failure e) {
      // The stream will say that the server is gone; until then, what was known is shown.
    }
  }

  private synchronized void fail(Failure failure, boolean forever) {
    problem = failure;
    if (forever || state == null) {
      fatal = fatal == null ? failure : fatal;
      closed = true;
    }
    notifyAll();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void sleep(Duration duration) {
    Instant end = clock.instant().plus(duration);
    try {
      while (!closed && clock.instant().isBefore(end)) {
        wait(Math.max(1, Duration.between(clock.instant(), end).toMillis()));
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
