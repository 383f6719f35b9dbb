package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LlmRequestTest {
  private static final String CHAT = "/v1/chat/completions";

  private static LlmRequest read(String body) {
    return LlmRequest.read(body.getBytes(StandardCharsets.UTF_8), CHAT);
  }

  private static String sent(String body, String path) {
    LlmRequest request = LlmRequest.read(body.getBytes(StandardCharsets.UTF_8), path);
    return new String(request.bodyThatAsksForUsage(), StandardCharsets.UTF_8);
  }

  private static void assertUnreadable(String body) {
    LlmRequest request = read(body);
    assertThat(request.isReadable()).as(body).isFalse();
    assertThat(Descriptor.isUnusable(request.model())).as(body).isTrue();
    assertThat(request.inputTokens()).isEqualTo(Usage.tokens(utf8(body)));
    assertThat(sent(body, CHAT)).isEqualTo(body);
  }

  private static long utf8(String body) {
    return body.getBytes(StandardCharsets.UTF_8).length;
  }

  @Test
  void modelAndMaximumAreRead() {
    String body = "{\"model\":\"gpt-4o\",\"max_tokens\":100,\"messages\":[{\"model\":\"x\"}]}";
    LlmRequest request = read(body);
    assertThat(request.model()).isEqualTo("gpt-4o");
    assertThat(request.maxOutputTokens()).hasValue(100);
    assertThat(request.isStreamed()).isFalse();
    assertThat(request.inputTokens()).isEqualTo((body.length() + 3) / 4);
  }

  @Test
  void highestMaximumCountsForEachAnswer() {
    assertThat(read("{\"max_tokens\":5,\"max_completion_tokens\":9,\"n\":3}").maxOutputTokens())
        .hasValue(27);
    assertThat(read("{\"max_output_tokens\":7,\"max_output_tokens\":2}").maxOutputTokens())
        .hasValue(7);
    assertThat(read("{\"n\":3}").maxOutputTokens()).isEmpty();
    assertThat(read("{\"n\":3}").answers()).isEqualTo(3);
    assertThat(read("{\"max_tokens\":-5,\"n\":-1}").maxOutputTokens()).hasValue(0);
  }

  @Test
  void hugeNumbersAreBounded() {
    String digits = "9".repeat(900);
    for (String number : List.of(digits, "1e999999999", "1.5", "12345678901")) {
      String body = "{\"max_tokens\":" + number + ",\"n\":" + number + "}";
      assertThat(read(body).maxOutputTokens()).as(number).hasValue(999_999_999L * 1_000);
    }
  }

  @Test
  void bodyWithoutModelHasNone() {
    assertThat(read("{}").model()).isNull();
    assertThat(read("").model()).isNull();
    assertThat(read("").isReadable()).isTrue();
  }

  @Test
  void whatTwoParsersMayReadDifferentlyIsUnreadable() {
    assertUnreadable("{\"model\":\"cheap\",\"model\":\"dear\"}");
    assertUnreadable("{\"model\":\"cheap\",\"mod\\u0065l\":\"dear\"}");
    assertUnreadable("{\"model\":\"cheap\",\"Model\":\"dear\"}");
    assertUnreadable("{\"model\":\"cheap\"}{\"model\":\"dear\"}");
    assertUnreadable("{\"model\":7}");
    assertUnreadable("{\"model\":\" \"}");
    assertUnreadable("{\"model\":\"" + "m".repeat(257) + "\"}");
    assertUnreadable("{\"stream\":true,\"stream\":false}");
    assertUnreadable("{\"stream_options\":{},\"stream\":true,\"stream_options\":{}}");
    assertUnreadable("[{\"model\":\"a\"}]");
    assertUnreadable("model=gpt-4o");
    assertUnreadable("{\"model\":\"gpt-4o\"");
    assertUnreadable("{\"model\":\"gpt-4o\",}");
    assertUnreadable("{'model':'gpt-4o'}");
  }

  @Test
  void hostileJsonIsUnreadable() {
    assertUnreadable("{\"a\":" + "[".repeat(200_000));
    assertUnreadable("{\"a\":" + "[".repeat(101) + "]".repeat(101) + "}");
    assertUnreadable("{\"a\":[" + "0,".repeat(200_000) + "0]}");
    assertUnreadable("{\"" + "n".repeat(100_000) + "\":1}");
    byte[] invalid = "{\"model\":\"gpt\u00ff\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(LlmRequest.read(invalid, CHAT).isReadable()).isFalse();
    byte[] utf16 = "{\"model\":\"gpt\"}".getBytes(StandardCharsets.UTF_16LE);
    assertThat(LlmRequest.read(utf16, CHAT).isReadable()).isFalse();
    LlmRequest large = LlmRequest.read(new byte[LlmRequest.MAX_BODY_BYTES + 1], CHAT);
    assertThat(large.isReadable()).isFalse();
    assertThat(large.isAtHand()).isFalse();
    assertThat(large.inputTokens()).isEqualTo(LlmRequest.MAX_BODY_BYTES / 4 + 1);
  }

  @Test
  void randomBytesAndMutationsThrowNothing() {
    byte[] valid =
        "{\"model\":\"gpt-4o\",\"stream\":true,\"n\":2,\"stream_options\":{\"x\":[1]}}"
            .getBytes(StandardCharsets.UTF_8);
    Seeds.run(
        random -> {
          for (int i = 0; i < 5_000; i++) {
            byte[] body = valid.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
              body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            LlmRequest request = LlmRequest.read(body, CHAT);
            assertThat(request.bodyThatAsksForUsage().length)
                .isGreaterThanOrEqualTo(body.length - 1);
          }
        });
  }

  @Test
  void inlineImageCountsAsAnImage() {
    String image =
        "{\"model\":\"m\",\"x\":\"data:image/png;base64," + "iVBO".repeat(50_000) + "\"}";
    assertThat(read(image).inputTokens()).isBetween(1_600L, 1_650L);
    String bare = "{\"data\":[\"" + "iVBO".repeat(50_000) + "\"]}";
    assertThat(read(bare).inputTokens()).isBetween(1_600L, 1_650L);
    String text = "{\"x\":\"" + "four ".repeat(40_000) + "\"}";
    assertThat(read(text).inputTokens()).isEqualTo((text.length() + 3) / 4);
  }

  @Test
  void streamIsAskedForItsUsage() {
    String asked = "\"include_usage\":true";
    assertThat(sent("{ \"stream\" : true}", CHAT))
        .isEqualTo("{\"stream_options\":{" + asked + "}, \"stream\" : true}");
    assertThat(sent("{\"stream\":true,\"stream_options\":{}, \"é\":1}", CHAT))
        .isEqualTo("{\"stream\":true,\"stream_options\":{" + asked + "}, \"é\":1}");
    assertThat(sent("{\"é\":1,\"stream_options\": {\"a\":[{}]},\"stream\":true}", CHAT))
        .isEqualTo("{\"é\":1,\"stream_options\": {" + asked + ",\"a\":[{}]},\"stream\":true}");
    assertThat(sent("{\"stream\":true,\"stream_options\": null }", CHAT))
        .isEqualTo("{\"stream\":true,\"stream_options\": {" + asked + "} }");
    assertThat(sent("{\"stream\":true,\"stream_options\":{\"include_usage\": false }}", CHAT))
        .isEqualTo("{\"stream\":true,\"stream_options\":{\"include_usage\": true }}");
    assertThat(sent("{\"stream\":true,\"stream_options\":{\"include_usage\":null}}", CHAT))
        .isEqualTo("{\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
  }

  @Test
  void otherBodiesStayAsTheyAre() {
    String streamed = "{\"model\":\"m\",\"stream\":true}";
    assertThat(sent(streamed, "/v1/messages")).isEqualTo(streamed);
    assertThat(sent(streamed, "/v1/responses")).isEqualTo(streamed);
    for (String body :
        List.of(
            "{\"model\":\"m\",\"stream\":false}",
            "{\"model\":\"m\"}",
            "{\"stream\":true,\"stream_options\":{\"include_usage\":true}}",
            "{\"stream\":true,\"stream_options\":7}",
            "{\"stream\":true,\"stream_options\":{\"include_usage\":7}}")) {
      assertThat(sent(body, CHAT)).isEqualTo(body);
    }
  }
}
