package dev.weir.cli.top;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.DaemonThreads;
import dev.weir.cli.command.Failure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the events of a server do not bring: the actions in force, and callers other than the denied
 * ones of the last minute. Asks every two seconds, on a thread of its own.
 *
 * <p>Thread-safe.
 */
final class SidePages implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final AdminClient client;
  private CallerQuery query;
  private Content content;
  private boolean asked = true;
  private boolean closed;

  /**
   * The rows of a list, or why there are none.
   *
   * @param problem empty if the server answered
   */
  record Rows(List<Fields> rows, String problem) {}

  /**
   * What was read.
   *
   * @param query that the callers answer
   * @param callers null if the events bring them
   * @param actions null if the server has no actions
   */
  record Content(CallerQuery query, @Nullable Rows callers, @Nullable Rows actions) {}

  SidePages(AdminClient client, CallerQuery query) {
    this.client = client;
    this.query = query;
    this.content = new Content(query, null, null);
  }

  /** What was read last. */
  synchronized Content content() {
    return content;
  }

  /** Which callers are read next. */
  synchronized CallerQuery query() {
    return query;
  }

  /** Reads other callers from now on. */
  synchronized void ask(CallerQuery other) {
    query = other;
    asked = true;
    notifyAll();
  }

  /** Reads once. */
  void read() {
    CallerQuery wanted = query();
    Rows callers =
        wanted.equals(CallerQuery.DEFAULT) ? null : rows(wanted.path(), "callers", false);
    Content read = new Content(wanted, callers, rows("/actions", "actions", true));
    synchronized (this) {
      content = read;
    }
  }

  private @Nullable Rows rows(String path, String member, boolean optional) {
    try {
      AdminClient.Answer answer = client.ask(path);
      if (optional && answer.status() == NOT_FOUND) {
        return null;
      }
      Fields json = Fields.of(answer.json());
      if (answer.status() == OK) {
        return new Rows(json.objects(member), "");
      }
      String why = json.text("detail");
      return new Rows(List.of(), "answered " + answer.status() + (why.isEmpty() ? "" : ", " + why));
    } catch (Failure e) {
      return new Rows(List.of(), String.valueOf(e.getMessage()));
    }
  }

  /** Reads every two seconds from now on. */
  void start() {
    DaemonThreads.create(
            () -> {
              while (awaitTurn()) {
                read();
              }
            })
        .start();
  }

  /** False once it is closed. */
  @SuppressWarnings("WaitNotInLoop") // an early turn does no harm
  private synchronized boolean awaitTurn() {
    try {
      if (!asked && !closed) {
        wait(PAUSE.toMillis());
      }
      asked = false;
      return !closed;
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
