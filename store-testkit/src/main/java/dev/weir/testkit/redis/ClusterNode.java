package dev.weir.testkit.redis;

import java.util.List;
import java.util.stream.Stream;

/** One line of {@code CLUSTER NODES}: what one node thinks of another, or of itself. */
record ClusterNode(
    String id, int port, List<String> flags, String masterId, boolean linked, List<String> slots) {

  /** Everything that a node knows. */
  static List<ClusterNode> seenBy(RedisServer node) {
    return node.text("CLUSTER", "NODES").lines().map(ClusterNode::parse).toList();
  }

  /** {@code id ip:port@bus flags master ping pong epoch link slot…}. */
  static ClusterNode parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length < 8) {
      throw new IllegalStateException("not a line of CLUSTER NODES: " + line);
    }
    String address = words[1];
    int port = Integer.parseInt(address, address.lastIndexOf(':') + 1, address.indexOf('@'), 10);
    return new ClusterNode(
        words[0],
        port,
        List.of(words[2].split(",", -1)),
        words[3],
        words[7].equals("connected"),
        // Those in brackets are on their way, and still with their old owner.
        Stream.of(words).skip(8).filter(range -> !range.startsWith("[")).toList());
  }

  boolean isMaster() {
    return flags.contains("master");
  }

  boolean owns(int slot) {
    return slots.stream().anyMatch(range -> contains(range, slot));
  }

  private static boolean contains(String range, int slot) {
    String[] ends = range.split("-", -1);
    return slot >= Integer.parseInt(ends[0]) && slot <= Integer.parseInt(ends[ends.length - 1]);
  }

  /** Whether it is neither new, nor failing, nor failed, and connected. */
  boolean isSound() {
    return linked
        && flags.stream().noneMatch(flag -> flag.startsWith("fail") || flag.equals("handshake"));
  }
}
