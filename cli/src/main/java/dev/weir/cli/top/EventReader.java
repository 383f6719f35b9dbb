package dev.weir.cli.top;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events with JSON data, in bounded memory. For one thread. */
final class EventReader {
  static final int MAX_LINE_BYTES = 4 << 20;

  private final InputStream in;
  private String name = "";

  EventReader(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /**
   * An event.
   *
   * @param name its type
   */
  record Event(String name, Fields data) {}

  /**
   * The next event; null after the last one.
   *
   * @throws IOException if the stream breaks, or is not what it should be
   */
  @Nullable Event next() throws IOException {
    for (String line = line(); line != null; line = line()) {
      if (line.isEmpty()) {
        name = "";
      } else if (line.startsWith("event:")) {
        name = line.substring("event:".length()).strip();
      } else if (line.startsWith("data:")) {
        return new Event(name, data(line.substring("data:".length())));
      }
    }
    return null;
  }

  private static Fields data(String json) throws IOException {
    try {
      return Fields.of(JSONObjectUtils.parse(json));
    } catch (ParseException e) {
      throw new IOException("sent an event that is no JSON object", e);
    }
  }

  private @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        return null;
      }
      if (line.size() == MAX_LINE_BYTES) {
        throw new IOException("sent a line of more than " + MAX_LINE_BYTES + " bytes");
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8);
  }
}
