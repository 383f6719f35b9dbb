package dev.weir.simulation;

import dev.weir.Descriptor;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.rule.RuleBook;
import java.util.List;
import java.util.OptionalLong;

/**
 * Clients that behave alike, and the rules they are under.
 *
 * @param clients how many, each with counters of its own
 * @param perSecond requests of each
 * @param cost of a request; the patient try others, too
 * @param refunds whether some of what was granted is given back
 * @param atRate whether polite clients ask for all that their limit lets pass
 */
record Group(
    Kind kind,
    RuleBook book,
    List<Rule> rules,
    int clients,
    double perSecond,
    long cost,
    boolean refunds,
    boolean atRate) {

  /** How clients behave. */
  enum Kind {
    /** At or under the rate, evenly. */
    POLITE,
    /** One request after the other until denied, then again exactly when told. */
    PATIENT,
    /** Whenever they like, above the limit. */
    GREEDY,
    /** Many at once, then nothing for a while. */
    BURSTY,
    /** Very many of one client to one server, for a few seconds. */
    HOT,
    /** Places in flight, given back after use. */
    HOLDING
  }

  Match match(int client, long cost, long permit) {
    Descriptor descriptor = Descriptor.of(book.names(), client(client));
    return book.match(descriptor, permit).costing(OptionalLong.of(cost));
  }

  static String client(int number) {
    return "c" + number;
  }
}
