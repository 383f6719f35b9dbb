package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UsageReaderTest {
  private static final String CHAT =
      """
      {"id":"c1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",
      "content":"Hello, it is nine."}}],"usage":{"prompt_tokens":19,"completion_tokens":10,
      "total_tokens":29,"prompt_tokens_details":{"cached_tokens":3}}}
      """;

  private static final String CHAT_STREAM =
      """
      data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}],"usage":null}

      data: {"choices":[{"index":0,"delta":{"content":"Hello"}}],"usage":null}

      : a comment
      data: {"choices":[{"index":0,"delta":{"content":" wörld"}}],"usage":null}

      data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}

      data: [DONE]

      """;

  private static final String MESSAGES =
      """
      {"type":"message","content":[{"type":"text","text":"Hi!"}],"usage":{"input_tokens":10,
      "cache_creation_input_tokens":5,"cache_read_input_tokens":100,"output_tokens":6}}
      """;

  private static final String MESSAGES_STREAM =
      """
      event: message_start
      data: {"type":"message_start","message":{"content":[],"usage":{"input_tokens":25,"cache_read_input_tokens":75,"output_tokens":1}}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

      event: ping
      data: {"type": "ping"}

      event: content_block_delta
      data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"!"}}

      event: message_delta
      data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}

      event: message_stop
      data: {"type":"message_stop"}

      """;

  private static final String RESPONSES =
      """
      {"object":"response","output":[{"type":"message","content":[{"type":"output_text",
      "text":"In a grove"}]}],"usage":{"input_tokens":36,"input_tokens_details":{"cached_tokens":0},
      "output_tokens":87,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":123}}
      """;

  private static final String RESPONSES_STREAM =
      """
      event: response.created
      data: {"type":"response.created","response":{"id":"r","usage":null,"output":[]}}

      event: response.output_text.delta
      data: {"type":"response.output_text.delta","delta":"Hi there"}

      event: response.output_text.done
      data: {"type":"response.output_text.done","text":"Hi there"}

      event: response.completed
      data: {"type":"response.completed","response":{"id":"r","output":[{"content":[{"text":"Hi there"}]}],"usage":{"input_tokens":37,"output_tokens":11,"total_tokens":48}}}

      """;

  /** Reads the text in chunks of many sizes, which must all give the same. */
  private static UsageReader read(String text) {
    UsageReader whole = new UsageReader();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    whole.read(bytes, 0, bytes.length);
    Seeds.run(
        random -> {
          for (int max : new int[] {1, 2, 7, 100}) {
            UsageReader reader = new UsageReader();
            Chunks.feed(text, random, max, reader::read);
            assertThat(reader.stated()).isEqualTo(whole.stated());
            assertThat(reader.seen(3)).isEqualTo(whole.seen(3));
            assertThat(reader.isComplete()).isEqualTo(whole.isComplete());
            assertThat(reader.isEventStream()).isEqualTo(whole.isEventStream());
          }
        });
    return whole;
  }

  private static void assertStated(String text, long input, long output) {
    UsageReader reader = read(text);
    assertThat(reader.stated()).contains(new Usage(input, output));
    assertThat(reader.isComplete()).isTrue();
    assertThat(read(text.replace("\n", "\r\n")).stated()).contains(new Usage(input, output));
  }

  @Test
  void answersAndStreamsOfAllStylesStateTheirUsage() {
    assertStated(CHAT, 19, 10);
    assertStated(CHAT_STREAM, 7, 2);
    assertStated(MESSAGES, 115, 6);
    assertStated(MESSAGES_STREAM, 100, 15);
    assertStated(RESPONSES, 36, 87);
    assertStated(RESPONSES_STREAM, 37, 11);
  }

  @Test
  void embeddingsHaveInputOnly() {
    assertStated("{\"data\":[],\"usage\":{\"prompt_tokens\":8,\"total_tokens\":8}}", 8, 0);
  }

  @Test
  void totalThatCountsReasoningCountsIt() {
    assertStated(
        "{\"usage\":{\"prompt_tokens\":8,\"completion_tokens\":2,\"total_tokens\":100}}", 8, 92);
  }

  @Test
  void abortedStreamIsWorthItsContent() {
    UsageReader chat =
        read(CHAT_STREAM.substring(0, CHAT_STREAM.indexOf("data: {\"choices\":[],")));
    assertThat(chat.stated()).isEmpty();
    assertThat(chat.isComplete()).isFalse();
    // Hello and " wörld" have 5 and 7 bytes.
    assertThat(chat.seen(42)).isEqualTo(new Usage(42, 3));
    UsageReader message =
        read(MESSAGES_STREAM.substring(0, MESSAGES_STREAM.indexOf("event: message_delta")));
    assertThat(message.stated()).isEmpty();
    assertThat(message.seen(42)).isEqualTo(new Usage(100, 2));
    UsageReader response =
        read(RESPONSES_STREAM.substring(0, RESPONSES_STREAM.indexOf("event: response.completed")));
    assertThat(response.stated()).isEmpty();
    assertThat(response.seen(42)).isEqualTo(new Usage(42, 2));
  }

  @Test
  void eachEventIsAtLeastOneToken() {
    String event = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    assertThat(read(event.repeat(40)).seen(0)).isEqualTo(new Usage(0, 40));
  }

  @Test
  void streamOfAnotherStyleIsWorthItsData() {
    UsageReader reader = read(": comment\nid: 7\ndata: {\"words\":\"0123456789\"}\n\n");
    assertThat(reader.seen(0).outputTokens()).isEqualTo(6);
    assertThat(reader.stated()).isEmpty();
  }

  @Test
  void usageInMidStreamIsNotTheEnd() {
    String event = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":";
    UsageReader reader = read(event + "1}}\n\n" + event + "2}}\n\n");
    assertThat(reader.stated()).contains(new Usage(5, 2));
    assertThat(reader.isComplete()).isFalse();
  }

  @Test
  void wantedNumbersAreRead() {
    UsageReader reader = new UsageReader(Set.of("cost.total", "absent"));
    byte[] bytes = "{\"cost\":{\"total\":12.5}}".getBytes(StandardCharsets.UTF_8);
    reader.read(bytes, 0, bytes.length);
    assertThat(reader.value("cost.total")).hasValue(13);
    assertThat(reader.value("absent")).isEmpty();
  }

  @Test
  void usageBehindALongTextIsRead() {
    UsageReader reader = new UsageReader();
    byte[] head = "{\"data\":[{\"b64_json\":\"".getBytes(StandardCharsets.UTF_8);
    byte[] tail = "\"}],\"usage\":{\"total_tokens\":5}}".getBytes(StandardCharsets.UTF_8);
    byte[] part = new byte[1 << 20];
    Arrays.fill(part, (byte) 'A');
    reader.read(head, 0, head.length);
    for (int i = 0; i < 32; i++) {
      reader.read(part, 0, part.length);
    }
    reader.read(tail, 0, tail.length);
    assertThat(reader.stated()).contains(new Usage(0, 5));
  }

  @Test
  void garbageStatesNothing() {
    Seeds.run(
        random -> {
          for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[random.nextInt(500)];
            random.nextBytes(bytes);
            UsageReader reader = new UsageReader();
            reader.read(bytes, 0, bytes.length);
            assertThat(reader.stated()).isEmpty();
          }
        });
    assertThat(read("<html>Bad gateway</html>").stated()).isEmpty();
    assertThat(read("{\"usage\":{\"prompt_tokens\":-5,\"completion_tokens\":\"9\"}}").stated())
        .isEmpty();
  }
}
