package dev.weir.cli.doctor.probe;

import dev.weir.load.Target;
import dev.weir.time.Ticker;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A gateway that is reached over HTTP/1.1, with a connection for each request.
 *
 * <p>It writes requests itself: a client library could neither come from a chosen address of this
 * machine nor send a path or a header as it is. Requests are sent one after the other, with a pause
 * between them, and their number, their time and the size of each response are bounded.
 */
public final class HttpGateway implements Gateway {
  /** The maximum number of bytes of a head, and of a body that is read to its end. */
  private static final int MAX_BYTES = 64 << 10;

  private static final int TIMEOUT_MILLIS = 5_000;

  /**
   * How many requests may be sent, for how long, and how fast.
   *
   * @param pauseMillis the time between two requests
   */
  public record Bounds(int requests, long seconds, long pauseMillis) {}

  private final Target target;
  private final Bounds bounds;
  private final Ticker ticker;
  private final long startMicros;
  private int sent;

  /** Creates a client of the gateway at an address; connects for each request. */
  public HttpGateway(Target target, Bounds bounds, Ticker ticker) {
    this.target = target;
    this.bounds = bounds;
    this.ticker = ticker;
    this.startMicros = ticker.micros();
  }

  /** Whether connections to the target can come from any address in 127.0.0.0/8. */
  public static boolean canChooseSource(Target target) {
    if (!target.isLoopback() || !(target.address().getAddress() instanceof Inet4Address)) {
      return false;
    }
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName("127.83.71.19"), 0));
      return true;
    } catch (IOException e) {
      return false; // not Linux
    }
  }

  @Override
  public int sent() {
    return sent;
  }

  @Override
  public long micros() {
    return ticker.micros() - startMicros;
  }

  @Override
  public ProbeResponse send(ProbeRequest request)
      throws ProbeFailure, BudgetSpent, InterruptedException {
    if (sent >= bounds.requests()) {
      throw new BudgetSpent("the " + bounds.requests() + " requests are used up");
    }
    if (micros() > TimeUnit.SECONDS.toMicros(bounds.seconds())) {
      throw new BudgetSpent("the " + bounds.seconds() + " s are used up");
    }
    TimeUnit.MILLISECONDS.sleep(bounds.pauseMillis());
    sent++;
    try (Socket socket = new Socket()) {
      if (request.source().isPresent()) {
        socket.bind(new InetSocketAddress(InetAddress.getByName(request.source().get()), 0));
      }
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.connect(target.address(), TIMEOUT_MILLIS);
      socket.getOutputStream().write(head(request).getBytes(StandardCharsets.ISO_8859_1));
      return response(new BufferedInputStream(socket.getInputStream()));
    } catch (SocketTimeoutException e) {
      throw new ProbeFailure("no answer within " + TIMEOUT_MILLIS / 1_000 + " s");
    } catch (IOException e) {
      throw new ProbeFailure(e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  private static String head(ProbeRequest request) {
    StringBuilder head = new StringBuilder(256);
    head.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(request.host()).append("\r\nConnection: close\r\n");
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      head.append("Content-Length: 0\r\n");
    }
    request.headers().forEach(header -> head.append(header).append("\r\n"));
    return head.append("\r\n").toString();
  }

  private static ProbeResponse response(InputStream in) throws IOException, ProbeFailure {
    while (true) {
      ProbeResponse response =
          ProbeResponse.parse(lines(in)).orElseThrow(() -> new ProbeFailure("no HTTP/1 response"));
      if (response.status() >= 200) {
        String length = response.headers().getOrDefault("content-length", "0");
        if (length.matches("[0-9]{1,5}")) {
          // A gateway may count a client that leaves too early as an error.
          var unused = in.readNBytes(Math.min(Integer.parseInt(length), MAX_BYTES));
        }
        return response;
      }
    }
  }

  private static List<String> lines(InputStream in) throws IOException, ProbeFailure {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (int bytes = 0; bytes < MAX_BYTES; bytes++) {
      int b = in.read();
      if (b < 0) {
        throw new ProbeFailure("the connection was closed without a response");
      }
      if (b == '\n') {
        if (line.length() == 0) {
          return lines;
        }
        lines.add(line.toString());
        line.setLength(0);
      } else if (b != '\r') {
        line.append((char) b);
      }
    }
    throw new ProbeFailure("a response with a head of more than " + MAX_BYTES + " bytes");
  }
}
