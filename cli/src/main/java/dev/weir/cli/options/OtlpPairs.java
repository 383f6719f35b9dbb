package dev.weir.cli.options;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Lists of names and values in variables of OpenTelemetry: {@code a=1,b=two%20words}. */
final class OtlpPairs {
  /** What the exporter and its client say themselves. */
  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "transfer-encoding",
          "upgrade");

  private OtlpPairs() {}

  /** Parses a list; empty if it is malformed. */
  static Optional<Map<String, String>> parse(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      if (pair.isBlank()) {
        continue;
      }
      int equals = pair.indexOf('=');
      Optional<String> name =
          equals < 1 ? Optional.empty() : decoded(pair.substring(0, equals).strip());
      Optional<String> value = decoded(pair.substring(equals + 1).strip());
      if (name.isEmpty() || name.get().isEmpty() || value.isEmpty()) {
        return Optional.empty();
      }
      pairs.put(name.get(), value.get());
    }
    return Optional.of(pairs);
  }

  /** Decodes what is percent-encoded; a plus stays as it is. */
  private static Optional<String> decoded(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '%') {
        bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      } else if (i + 2 < text.length() && text.substring(i + 1, i + 3).matches("[0-9A-Fa-f]{2}")) {
        bytes.put((byte) Integer.parseInt(text.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Whether a pair can be sent as a header that the exporter does not need itself. */
  static boolean isHeader(String name, String value) {
    return name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
        && value.matches("[\\t -~]*")
        && !RESERVED.contains(name.toLowerCase(Locale.ROOT));
  }
}
