package dev.weir.server;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;

/** Malformed requests for fuzzing, made of {@link OddTexts}. */
final class MutatedRequests {
  private final Random random;

  /** A request with a correct length, so that others may follow on the connection. */
  record Framed(Buffer buffer, boolean head) {
    byte[] bytes() {
      return buffer.getBytes();
    }
  }

  MutatedRequests(Random random) {
    this.random = random;
  }

  private <T> T one(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  Framed framed(boolean admin) {
    byte[] body = chance(70) ? body() : new byte[0];
    String path = one(admin ? OddTexts.ADMIN_PATHS : OddTexts.PATHS);
    boolean posts = path.matches("/v1/(decide|release)|/json|/explain|/reset");
    String method = posts && chance(85) ? "POST" : one(OddTexts.METHODS);
    String host = admin && chance(90) ? "127.0.0.1" : "h";
    String type = posts && chance(90) ? "Content-Type: application/json\r\n" : "";
    return framed(method, chance(50) ? odd(path) : path, host + "\r\n" + type, body);
  }

  /**
   * A head.
   *
   * @param first the start of the headers: the value of Host, and whole lines
   */
  private Framed framed(String method, String path, String first, byte[] body) {
    StringBuilder head = new StringBuilder(512);
    head.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: ").append(first);
    for (int i = random.nextInt(6); i > 0; i--) {
      head.append(one(OddTexts.HEADERS)).append(": ").append(value()).append("\r\n");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean chunked = chance(20);
    head.append(chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length);
    out.writeBytes(bytes(head.append("\r\n\r\n").toString()));
    if (chunked) {
      chunks(body, out);
    } else {
      out.writeBytes(body);
    }
    return new Framed(Buffer.buffer(out.toByteArray()), method.equals("HEAD"));
  }

  private void chunks(byte[] body, ByteArrayOutputStream out) {
    for (int at = 0; at < body.length; ) {
      int length = Math.min(body.length - at, 1 + random.nextInt(64));
      out.writeBytes(bytes(Integer.toHexString(length) + (chance(10) ? ";x=y" : "") + "\r\n"));
      out.write(body, at, length);
      out.writeBytes(bytes("\r\n"));
      at += length;
    }
    out.writeBytes(bytes("0\r\n\r\n"));
  }

  private String odd(String path) {
    int at = chance(60) ? path.length() : random.nextInt(path.length() + 1);
    String more = one(OddTexts.ODD_IN_PATHS) + (chance(20) ? one(OddTexts.ODD_IN_PATHS) : "");
    return path.substring(0, at) + more + path.substring(at);
  }

  private String value() {
    String value = one(OddTexts.VALUES) + (chance(20) ? one(OddTexts.VALUES) : "");
    return chance(1) ? value.concat("x").repeat(1 + random.nextInt(200)) : value;
  }

  /** A JSON body, more or less. */
  private byte[] body() {
    String text = one(OddTexts.BODIES);
    for (int i = random.nextInt(3); i > 0; i--) {
      text = mutated(text);
    }
    byte[] bytes = bytes(text);
    if (chance(30) && bytes.length > 0) {
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
    }
    return chance(10) ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
  }

  private String mutated(String text) {
    String[] values = text.split("(?<=[:,\\[{] ?)(?=[\"\\d\\[{])", -1);
    int at = random.nextInt(values.length);
    switch (random.nextInt(6)) {
      case 0 -> values[at] = one(OddTexts.TOKENS) + (chance(50) ? "," : "}");
      case 1 -> values[at] = one(OddTexts.TOKENS) + values[at];
      case 2 -> values[at] += values[at];
      case 3 -> values[at] = "";
      case 4 -> {
        int depth = 1 + random.nextInt(chance(5) ? 5_000 : 50);
        String open = one(List.of("[", "{\"a\":", "{\"values\":", "{\"requests\":["));
        values[at] = open.repeat(depth) + values[at];
      }
      default -> values[at] = "1".repeat(1 + random.nextInt(chance(5) ? 3_000 : 40));
    }
    return String.join("", values);
  }

  /** A request whose end cannot be determined. */
  byte[] broken(boolean admin) {
    byte[] bytes = framed(admin).bytes();
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return switch (random.nextInt(10)) {
      case 0 -> bytes("GET " + "/x".repeat(1_000 * random.nextInt(9)) + " HTTP/1.1\r\n\r\n");
      case 1 -> bytes(swapped(text, "Host: h", "H: " + "x".repeat(random.nextInt(60_000))));
      case 2 -> bytes(swapped(text, "Content-Length: ", "Content-Length: " + one(OddTexts.VALUES)));
      case 3 -> bytes(swapped(text, "Host: h", "Transfer-Encoding: " + one(OddTexts.VALUES)));
      case 4 -> bytes(swapped(text, "\r\n\r\n[0-9a-f]", "\r\n\r\n" + one(OddTexts.VALUES)));
      case 5 ->
          bytes(
              swapped(text, "HTTP/1.1", one(List.of("", "HTTP/9.9", "hTTP/1.1", "HTTP/1.0", "X"))));
      case 6 -> bytes(swapped(text, "Host: h", one(OddTexts.VALUES) + (char) random.nextInt(256)));
      case 7 -> bytes(swapped(text, " ", one(List.of("", "  ", "\t", "\0", "\r", "\n"))));
      case 8 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
      default -> {
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        yield bytes;
      }
    };
  }

  private static String swapped(String text, String pattern, String by) {
    return text.replaceFirst(pattern, Matcher.quoteReplacement(by));
  }

  private static byte[] bytes(String text) {
    boolean json = text.startsWith("{");
    return text.getBytes(json ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
  }
}
