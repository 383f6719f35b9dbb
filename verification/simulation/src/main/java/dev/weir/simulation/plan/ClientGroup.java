package dev.weir.simulation.plan;

import dev.weir.Descriptor;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import java.util.List;
import java.util.OptionalLong;

/**
 * Clients that behave alike, and the rules that apply to them.
 *
 * @param clients the number of clients, each with counters of its own
 * @param load what each client sends
 */
public record ClientGroup(Kind kind, RuleBook book, List<Rule> rules, int clients, Load load) {

  /**
   * What a client sends.
   *
   * @param perSecond its requests per second
   * @param cost the cost of a request; patient clients also try others
   * @param refunds whether it refunds some of its grants
   * @param atRate whether a polite client requests all that its limit admits
   */
  public record Load(double perSecond, long cost, boolean refunds, boolean atRate) {}

  /** How clients behave. */
  public enum Kind {
    /** Requests come evenly, at or under the rate. */
    POLITE,
    /** One request after the other until a denial, then again exactly after its Retry-After. */
    PATIENT,
    /** Requests come at random, above the limit. */
    GREEDY,
    /** Many requests at once, then none for a while. */
    BURSTY,
    /** Very many requests of one client to one server, for a few seconds. */
    HOT,
    /** Requests take concurrency permits and release them after use. */
    CONCURRENT
  }

  /** Matches a request of a client against the rules of the group. */
  public Match match(int client, long cost, long holder) {
    Descriptor descriptor = Descriptor.of(book.names(), client(client));
    return book.match(descriptor, holder).withCost(OptionalLong.of(cost));
  }

  /** The name of a client. */
  public static String client(int number) {
    return "c" + number;
  }
}
