package dev.weir.gateway.cost;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads the usage that a response states, from its body in chunks of any size: JSON, or a stream of
 * events, in the styles of OpenAI (chat completions, completions, embeddings, responses) and of
 * Anthropic. The first byte tells which of the two it is.
 *
 * <p>Streams state their usage so far, so the highest number of each kind counts. Memory is bounded
 * whatever arrives, and nothing is thrown. Not thread-safe.
 */
public final class UsageReader {
  private static final Set<String> INPUT =
      Set.of(
          "usage.prompt_tokens",
          "usage.input_tokens",
          "message.usage.input_tokens",
          "response.usage.input_tokens");

  private static final Set<String> OUTPUT =
      Set.of("usage.completion_tokens", "usage.output_tokens", "response.usage.output_tokens");

  /** The output so far at the start of a message: it is no usage of the whole. */
  private static final String FIRST_OUTPUT = "message.usage.output_tokens";

  private static final Set<String> TOTAL =
      Set.of("usage.total_tokens", "response.usage.total_tokens");

  /** Input that Anthropic does not include in the input tokens. */
  private static final Set<String> CACHE_WRITES =
      Set.of("usage.cache_creation_input_tokens", "message.usage.cache_creation_input_tokens");

  private static final Set<String> CACHE_READS =
      Set.of("usage.cache_read_input_tokens", "message.usage.cache_read_input_tokens");

  /** The types of events after which no usage follows. */
  private static final Set<String> LAST_EVENTS =
      Set.of("message_stop", "response.completed", "response.incomplete");

  private static final Set<String> CONTENT =
      Set.of(
          "choices[].text",
          "choices[].delta.content",
          "choices[].delta.refusal",
          "choices[].delta.reasoning",
          "choices[].delta.reasoning_content",
          "choices[].delta.function_call.arguments",
          "choices[].delta.tool_calls[].function.arguments",
          "choices[].message.content",
          "choices[].message.reasoning_content",
          "choices[].message.tool_calls[].function.arguments",
          "delta",
          "delta.text",
          "delta.thinking",
          "delta.partial_json",
          "content[].text",
          "content[].thinking",
          "output[].arguments",
          "output[].content[].text");

  private final JsonScanner json = new JsonScanner(new Values());
  private final EventStreamScanner events = new EventStreamScanner(json);
  private final Set<String> wanted;
  private final Map<String, Long> values = new HashMap<>();
  private boolean begun;
  private boolean eventStream;
  private boolean lastEvent;
  private boolean stated;
  private long input;
  private long output;
  private long total;
  private long cacheWrites;
  private long cacheReads;
  private long jsonBytes;
  private long contentBytes;
  private long contents;

  /** A reader of usage alone. */
  public UsageReader() {
    this(Set.of());
  }

  /**
   * A reader of usage and of other numbers.
   *
   * @param wanted the paths of these numbers: names of members with dots between them
   */
  public UsageReader(Set<String> wanted) {
    this.wanted = Set.copyOf(wanted);
  }

  /** Reads the next bytes of the body, between two offsets. */
  public void read(byte[] bytes, int from, int to) {
    int i = from;
    while (!begun && i < to) {
      byte first = bytes[i];
      boolean blank = first == ' ' || first == '\n' || first == '\r' || first == '\t';
      begun = !blank;
      eventStream = begun && first != '{' && first != '[';
      i += blank ? 1 : 0;
    }
    if (eventStream) {
      events.scan(bytes, i, to);
    } else {
      jsonBytes += to - i;
      json.scan(bytes, i, to);
    }
  }

  /** Whether the body is a stream of events. */
  public boolean isEventStream() {
    return eventStream;
  }

  /** Whether nothing that matters can follow, though the body may go on. */
  public boolean isComplete() {
    return stated && (eventStream ? lastEvent || events.isDone() : json.isOver());
  }

  /** Whether there was any content, such as a part of an answer. */
  public boolean hasContent() {
    return contentBytes > 0;
  }

  /** The usage that the response states of itself, if it does. */
  public Optional<Usage> stated() {
    return stated ? Optional.of(new Usage(input(), output())) : Optional.empty();
  }

  /**
   * The usage as far as it was seen: what was stated, or what the content amounts to, if that is
   * more. A token is four bytes, or an event, whichever makes more of them; an event that has only
   * begun is a token. If no content is known, because the style is another one, all data counts.
   *
   * @param estimatedInput the input, if the response has stated none
   */
  public Usage seen(long estimatedInput) {
    long bytes = hasContent() || stated ? contentBytes : dataBytes();
    long content = Math.max(Usage.tokens(bytes), eventStream ? contents : 0);
    content += events.isInEvent() && !isComplete() ? 1 : 0;
    return new Usage(input() > 0 ? input() : estimatedInput, Math.max(output(), content));
  }

  private long dataBytes() {
    return eventStream ? events.dataBytes() : jsonBytes;
  }

  /** The last number at a path that was wanted, if there was one. */
  public OptionalLong value(String path) {
    Long value = values.get(path);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  private long input() {
    return input + cacheWrites + cacheReads;
  }

  /** The output; the total may count tokens, such as those of reasoning, that it leaves out. */
  private long output() {
    return Math.max(output, total - input());
  }

  private final class Values implements JsonScanner.Listener {
    @Override
    public void onNumber(String path, long value) {
      if (wanted.contains(path)) {
        values.put(path, value);
      }
      if (!path.endsWith("_tokens")) {
        return;
      }
      if (INPUT.contains(path)) {
        input = Math.max(input, value);
      } else if (OUTPUT.contains(path)) {
        output = Math.max(output, value);
        stated = true;
      } else if (TOTAL.contains(path)) {
        total = Math.max(total, value);
        stated = true;
      } else if (path.equals(FIRST_OUTPUT)) {
        output = Math.max(output, value);
      } else if (CACHE_WRITES.contains(path)) {
        cacheWrites = Math.max(cacheWrites, value);
      } else if (CACHE_READS.contains(path)) {
        cacheReads = Math.max(cacheReads, value);
      }
    }

    @Override
    public void onText(String path, long bytes, CharSequence start) {
      if (CONTENT.contains(path)) {
        contentBytes += bytes;
        contents += bytes > 0 ? 1 : 0;
      } else if (path.equals("type")) {
        lastEvent |= LAST_EVENTS.contains(start.toString());
      }
    }
  }
}
