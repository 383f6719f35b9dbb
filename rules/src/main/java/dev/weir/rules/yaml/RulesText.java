package dev.weir.rules.yaml;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The text of one rules file.
 *
 * @param name of the file in messages
 * @param directory that relative paths in the text refer to
 * @param bytes the content, UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RulesText(String name, Path directory, byte[] bytes) {

  /** The largest file that is read. */
  public static final int MAX_BYTES = 4 << 20;

  /** A text that does not come from a file. */
  public static RulesText of(String name, String text) {
    return new RulesText(name, Path.of(""), text.getBytes(StandardCharsets.UTF_8));
  }

  /** The decoded text; empty if it is too large or not UTF-8, which {@code problems} then says. */
  public Optional<String> text(Problems problems) {
    if (bytes.length > MAX_BYTES) {
      SourceLocation start = new SourceLocation(name, 1, 1);
      problems.error(start, "size", "more than " + MAX_BYTES + " bytes", "at most that");
      return Optional.empty();
    }
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    String text = out.flip().toString();
    if (result.isError()) {
      int lastLine = text.lastIndexOf('\n');
      int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
      SourceLocation location = new SourceLocation(name, line, text.length() - lastLine);
      String value = String.format("byte 0x%02X", bytes[in.position()]);
      problems.error(location, "text", value, "UTF-8");
      return Optional.empty();
    }
    return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
  }
}
