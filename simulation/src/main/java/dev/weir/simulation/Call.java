package dev.weir.simulation;

import dev.weir.Claim;
import dev.weir.operation.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that a server asks of its store: sent at once and once, or not at all. */
final class Call {
  final Operation operation;
  private final List<Claim> claims;

  /** What was sent for it, if anything was. */
  @Nullable Message message;

  Call(Operation operation, List<Claim> claims) {
    this.operation = operation;
    this.claims = List.copyOf(claims);
  }

  /** Whether the message is what is asked, and the first one. */
  boolean sends(Message sent) {
    boolean first = message == null;
    message = sent;
    return first
        && sent.operation == operation
        && sent.claims.size() <= claims.size()
        && sent.claims.stream().allMatch(this::asksFor);
  }

  private boolean asksFor(Claim sent) {
    return claims.stream()
        .anyMatch(asked -> asked.key().equals(sent.key()) && sent.cost() <= asked.cost());
  }
}
