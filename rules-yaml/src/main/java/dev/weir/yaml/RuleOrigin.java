package dev.weir.yaml;

import java.util.List;

/**
 * One of those who give rules to a {@link RuleBoard}: files, or a server that sends them. What it
 * gives takes the place of all that it gave before, and leaves alone what others gave.
 */
public final class RuleOrigin {
  private final RuleBoard board;
  private final Object name;

  // What it gave last that made sense, and what is wrong with what came after; the board's lock.
  List<Source> sources = List.of();
  boolean given;
  List<String> problems = List.of();
  String refusedVersion = "";

  /** What is waited for, which is no fault of anything that came; empty if nothing is. */
  List<String> missing = List.of();

  RuleOrigin(RuleBoard board, Object name) {
    this.board = board;
    this.name = name;
  }

  /**
   * Takes on rules, or refuses them, and says so in the log. May wait for keys that the rules need.
   *
   * @return what is wrong; empty if they are in force
   */
  public List<String> offer(List<Source> offered) {
    return board.offer(this, offered);
  }

  /** Takes on the rules to begin with. */
  void begin(List<Source> offered) throws RulesRefused {
    board.begin(this, offered);
  }

  /** Says what is missing until the first rules come; what it gives then takes that back. */
  void await(String missing) {
    synchronized (board) {
      this.missing = List.of(missing);
      board.tell();
    }
  }

  /** Says that there is something, of which nothing can be read. */
  public void refuse(List<String> told) {
    var unused = board.refuse(this, "", told);
  }

  /** Whether the newest it gave is not in force. */
  boolean isRefused() {
    synchronized (board) {
      return !problems.isEmpty();
    }
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
