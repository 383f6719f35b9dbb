package dev.weir.gateway.cost;

import dev.weir.Descriptor;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a request to a language model says about its cost. Immutable, and safe for use
 * by any number of threads as long as nobody changes the body.
 *
 * <p>A body that cannot be read for certain, because it is no JSON, too large, or says a thing
 * twice, has a model that is {@link Descriptor#UNUSABLE}: rules treat it as unfavourably as they
 * can, and its cost is estimated from its size.
 */
public final class LlmRequest {
  /** The longest body that is read; a gateway must not buffer more of one. */
  public static final int MAX_BODY_BYTES = 1 << 20;

  /** A request without a body, which uses no model. */
  public static final LlmRequest NONE = new LlmRequest(new byte[0], new LlmFields());

  private final byte[] body;
  private final @Nullable String model;
  private final boolean readable;
  private final boolean streamed;
  private final long inputTokens;
  private final OptionalLong maxOutputTokens;
  private final int answers;
  private final @Nullable BodyEdit usageEdit;

  LlmRequest(byte[] body, LlmFields fields) {
    this.body = body;
    this.readable = fields.isReadable();
    this.model = readable ? fields.model() : Descriptor.UNUSABLE;
    this.streamed = readable && fields.streamed();
    this.inputTokens = Usage.tokens(fields.promptBytes());
    this.answers = fields.answers();
    this.maxOutputTokens = readable ? fields.maxOutputTokens() : OptionalLong.empty();
    this.usageEdit = readable ? fields.usageEdit() : null;
  }

  /**
   * Reads a whole body. It throws nothing, whatever the body is.
   *
   * @param body at most {@link #MAX_BODY_BYTES}; longer ones count as unreadable
   * @param path of the request, without its query; only requests to {@code …/completions} know the
   *     option to state the usage of a stream
   */
  public static LlmRequest read(byte[] body, String path) {
    if (body.length == 0) {
      return NONE;
    }
    return body.length > MAX_BODY_BYTES
        ? unreadable(body.length)
        : new LlmRequest(body, LlmBodyParser.parse(body, path.endsWith("/completions")));
  }

  /**
   * A request whose body is not at hand, because it is too long or compressed.
   *
   * @param bytes its length, as far as it is known
   */
  public static LlmRequest unreadable(long bytes) {
    return new LlmRequest(new byte[0], LlmFields.unreadable(bytes));
  }

  /** The value {@code model} for rules: absent if the body names none, or unusable. */
  public @Nullable String model() {
    return model;
  }

  /** Whether the body was understood. */
  public boolean isReadable() {
    return readable;
  }

  /** Whether the answer is asked for as a stream. */
  public boolean isStreamed() {
    return streamed;
  }

  /** The estimated tokens of the prompt: a quarter of the bytes. */
  public long inputTokens() {
    return inputTokens;
  }

  /** The maximum of tokens that the request allows for all its answers together, if it says so. */
  public OptionalLong maxOutputTokens() {
    return maxOutputTokens;
  }

  /** How many answers the request asks for. */
  public int answers() {
    return answers;
  }

  /**
   * The body that asks for the usage of a stream, to be sent instead of the original: its length is
   * the Content-Length. The original itself where nothing must be changed, and empty where it was
   * never at hand: see {@link #isAtHand}. Every other byte stays.
   */
  public byte[] bodyThatAsksForUsage() {
    return usageEdit == null ? body : usageEdit.apply(body);
  }

  /** Whether the body was given; if not, the original must be passed on as it arrives. */
  public boolean isAtHand() {
    return body.length > 0;
  }
}
