package dev.weir.gateway.cost;

import java.util.SplittableRandom;

/**
 * One stream of a simulated provider, and what the provider bills for it: the tokens of the prompt,
 * and one token for each event of content that it has begun to send.
 */
public final class SimulatedProvider {
  private static final String LETTERS = "etaoin shrdlu";

  /** What becomes of a stream. */
  public enum Fate {
    COMPLETE,
    ABORTED,
    WITHOUT_USAGE
  }

  public final Fate fate;
  public final String body;
  final long maxTokens;

  private final SplittableRandom random;
  private final boolean anthropic;
  private final long inputTokens;
  private final long outputTokens;
  private long billedOutput;

  /** A stream of random style and length. */
  public SimulatedProvider(Fate fate, SplittableRandom random) {
    this.fate = fate;
    this.random = random;
    this.anthropic = random.nextBoolean();
    String prompt = LETTERS.repeat(1 + random.nextInt(40));
    boolean limited = random.nextInt(3) > 0;
    this.maxTokens = limited ? 1L + random.nextInt(600) : -1;
    String limit = limited ? "\"max_tokens\":" + maxTokens + "," : "";
    this.body = "{\"model\":\"gpt-4o\",\"stream\":true," + limit + "\"prompt\":\"" + prompt + "\"}";
    this.inputTokens = 1L + random.nextInt(prompt.length() / 4);
    this.outputTokens = 1L + random.nextInt(limited ? (int) maxTokens : 2_000);
  }

  /** Sends the stream in chunks of random size; what it bills is known afterwards. */
  public void send(Chunks.Sink sink) {
    StringBuilder text = new StringBuilder(start());
    long events = fate == Fate.ABORTED ? random.nextLong(outputTokens + 1) : outputTokens;
    for (long i = 0; i < events; i++) {
      text.append(content());
    }
    billedOutput = events;
    if (fate == Fate.COMPLETE) {
      text.append(usage());
    } else if (fate == Fate.ABORTED) {
      // The next event is cut off somewhere behind its first bytes.
      String cut = content();
      int bytes = random.nextInt(cut.length());
      text.append(cut, 0, bytes);
      billedOutput += bytes >= "data:".length() + (anthropic ? "event: x\n".length() : 0) ? 1 : 0;
    }
    Chunks.feed(text.toString(), random, 1 + random.nextInt(700), sink);
  }

  /** What the provider bills for what it has sent. */
  public Usage billed() {
    return new Usage(inputTokens, billedOutput);
  }

  /** The path of the provider's service. */
  public String path() {
    return anthropic ? "/v1/messages" : "/v1/chat/completions";
  }

  private String start() {
    return anthropic
        ? "event: x\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":"
            + inputTokens
            + ",\"output_tokens\":0}}}\n\n"
        : "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
  }

  private String content() {
    String word = LETTERS.substring(0, 1 + random.nextInt(LETTERS.length()));
    return anthropic
        ? "event: x\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\""
            + word
            + "\"}}\n\n"
        : "data: {\"choices\":[{\"delta\":{\"content\":\"" + word + "\"}}],\"usage\":null}\n\n";
  }

  private String usage() {
    return anthropic
        ? "event: x\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":"
            + outputTokens
            + "}}\n\nevent: x\ndata: {\"type\":\"message_stop\"}\n\n"
        : "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":"
            + inputTokens
            + ",\"completion_tokens\":"
            + outputTokens
            + "}}\n\ndata: [DONE]\n\n";
  }
}
