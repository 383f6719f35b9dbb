package dev.weir.gateway.cost;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses the body of one request to a language model: an object, of which a few members count.
 *
 * <p>The body comes from a client that may want to be read differently here and at the provider. So
 * a name in unusual case, a model that is named twice, and whatever else two parsers may disagree
 * on, makes the body unreadable.
 */
final class LlmBodyParser {
  private static final int MAX_DEPTH = 100;
  private static final int MAX_TOKENS = 100_000;
  private static final int MAX_NAME_CHARS = 1_000;

  /** The digits of the largest number that is read; a longer one counts as this many nines. */
  private static final int MAX_DIGITS = 9;

  private static final String ASK = "\"include_usage\":true";

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxTokenCount(MAX_TOKENS)
                  .maxNameLength(MAX_NAME_CHARS)
                  .build())
          .build();

  private final byte[] body;
  private final JsonParser parser;
  private final LlmFields fields = new LlmFields();
  private final InlineData inlineData;
  private boolean streamSeen;
  private boolean optionsSeen;
  private int start;
  private @Nullable BodyEdit optionsEdit;

  private LlmBodyParser(byte[] body, JsonParser parser) {
    this.body = body;
    this.parser = parser;
    this.inlineData = new InlineData(body);
  }

  /**
   * Parses a body.
   *
   * @param asksForUsage whether a stream must be asked for its usage
   */
  static LlmFields parse(byte[] body, boolean asksForUsage) {
    try (JsonParser parser = JSON.createParser(body)) {
      LlmFields fields = new LlmBodyParser(body, parser).parse(asksForUsage);
      return fields.isReadable() ? fields : LlmFields.unreadable(body.length);
    } catch (IOException | RuntimeException e) {
      return LlmFields.unreadable(body.length);
    }
  }

  private LlmFields parse(boolean asksForUsage) throws IOException {
    if (next() != JsonToken.START_OBJECT) {
      return LlmFields.unreadable(body.length);
    }
    start = offset() + 1;
    while (next() == JsonToken.FIELD_NAME) {
      readMember(parser.currentName());
    }
    if (next() != null) {
      fields.setUnreadable(); // something follows the object
    }
    fields.setPromptBytes(inlineData.promptBytes());
    if (asksForUsage && fields.streamed()) {
      BodyEdit insert = new BodyEdit(start, start, "\"stream_options\":{" + ASK + "},");
      BodyEdit edit = optionsSeen ? optionsEdit : insert;
      if (edit != null) {
        fields.setUsageEdit(edit);
      }
    }
    return fields;
  }

  private void readMember(String name) throws IOException {
    JsonToken value = next();
    switch (name.toLowerCase(Locale.ROOT)) {
      case "model" -> readModel(name, value);
      case "stream" -> {
        refuse(streamSeen || !name.equals("stream"));
        streamSeen = true;
        if (value == JsonToken.VALUE_TRUE) {
          fields.setStreamed();
        }
      }
      case "stream_options" -> {
        refuse(optionsSeen || !name.equals("stream_options"));
        optionsSeen = true;
        readOptions(value);
        return;
      }
      case "max_tokens", "max_completion_tokens", "max_output_tokens" -> {
        if (value != null && value.isNumeric()) {
          fields.addMaxTokens(number(value));
        }
      }
      case "n", "best_of" -> {
        if (value != null && value.isNumeric()) {
          fields.addAnswers(number(value));
        }
      }
      default -> {}
    }
    skip(value);
  }

  private void refuse(boolean ambiguous) {
    if (ambiguous) {
      fields.setUnreadable();
    }
  }

  private void readModel(String name, @Nullable JsonToken value) throws IOException {
    refuse(!name.equals("model") || value != JsonToken.VALUE_STRING);
    if (value == JsonToken.VALUE_STRING) {
      fields.setModel(parser.getText());
    }
  }

  /** Reads {@code stream_options}, and finds what to change so that it asks for the usage. */
  private void readOptions(@Nullable JsonToken value) throws IOException {
    int at = offset();
    if (value == JsonToken.VALUE_NULL) {
      optionsEdit = new BodyEdit(at, at + "null".length(), "{" + ASK + "}");
    }
    if (value != JsonToken.START_OBJECT) {
      skip(value);
      return;
    }
    boolean empty = true;
    boolean asked = false;
    while (next() == JsonToken.FIELD_NAME) {
      boolean usage = parser.currentName().equalsIgnoreCase("include_usage");
      JsonToken option = next();
      if (usage) {
        refuse(asked);
        asked = true;
        optionsEdit = option == JsonToken.VALUE_TRUE ? null : replacement(option);
      }
      skip(option);
      empty = false;
    }
    if (!asked) {
      optionsEdit = new BodyEdit(at + 1, at + 1, empty ? ASK : ASK + ",");
    }
  }

  /** The provider refuses an option that is neither a boolean nor null; that stays as it is. */
  private @Nullable BodyEdit replacement(@Nullable JsonToken option) {
    boolean literal = option == JsonToken.VALUE_FALSE || option == JsonToken.VALUE_NULL;
    int length = option == JsonToken.VALUE_FALSE ? "false".length() : "null".length();
    return literal ? new BodyEdit(offset(), offset() + length, "true") : null;
  }

  private long number(JsonToken value) throws IOException {
    String digits = parser.getText();
    if (digits.startsWith("-")) {
      return 0;
    }
    boolean small = value == JsonToken.VALUE_NUMBER_INT && digits.length() <= MAX_DIGITS;
    return small ? Long.parseLong(digits) : 999_999_999L;
  }

  private void skip(@Nullable JsonToken value) throws IOException {
    if (value == null || !value.isStructStart()) {
      return;
    }
    int depth = 1;
    while (depth > 0) {
      JsonToken token = next();
      if (token == null) {
        return;
      }
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
    }
  }

  private @Nullable JsonToken next() throws IOException {
    JsonToken token = parser.nextToken();
    if (inlineData.isTextOpen() || token == JsonToken.VALUE_STRING) {
      inlineData.onToken(offset(), token == JsonToken.VALUE_STRING);
    }
    return token;
  }

  private int offset() {
    return (int) parser.currentTokenLocation().getByteOffset();
  }
}
