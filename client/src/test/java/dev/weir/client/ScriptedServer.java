package dev.weir.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real server on the loopback interface that gives the answers of a script, and 200 after it. */
public final class ScriptedServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Answer> script = new ConcurrentLinkedQueue<>();
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Answer otherwise = answer(200);

  /** An answer of the script; a status of 0 ends the connection without one. */
  public record Answer(int status, Map<String, String> headers, String body, boolean stalled) {
    /** This answer with one more header. */
    public Answer with(String name, String value) {
      Map<String, String> more = new java.util.HashMap<>(headers);
      more.put(name, value);
      return new Answer(status, more, body, stalled);
    }

    /** This answer without the end of its body, which never comes. */
    public Answer thatStalls() {
      return new Answer(status, headers, body, true);
    }
  }

  /** An answer without headers. */
  public static Answer answer(int status) {
    return new Answer(status, Map.of(), "status " + status, false);
  }

  /** A denial that asks for a wait. */
  public static Answer denial(String retryAfter) {
    return answer(429).with("Retry-After", retryAfter);
  }

  /** Starts a server with a script. */
  public ScriptedServer(Answer... answers) throws IOException {
    script.addAll(List.of(answers));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** What is answered when the script is over. */
  public ScriptedServer otherwise(Answer answer) {
    otherwise = answer;
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    received.add((exchange.getRequestMethod() + " " + body).strip());
    Answer next = script.poll();
    Answer answer = next == null ? otherwise : next;
    if (answer.status() == 0) {
      exchange.close();
      return;
    }
    answer.headers().forEach(exchange.getResponseHeaders()::add);
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(
        answer.status(), head ? -1 : bytes.length + (answer.stalled() ? 1 : 0));
    if (!head) {
      exchange.getResponseBody().write(bytes);
    }
    if (answer.stalled()) {
      exchange.getResponseBody().flush();
      awaitClose();
    }
    exchange.close();
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The address of the server. */
  public URI uri() {
    return URI.create(
        "http://"
            + InetAddress.getLoopbackAddress().getHostAddress()
            + ":"
            + server.getAddress().getPort()
            + "/");
  }

  /** Methods and bodies of all requests, in order. */
  public List<String> received() {
    return received;
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
