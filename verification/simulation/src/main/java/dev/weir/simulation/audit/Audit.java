package dev.weir.simulation.audit;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.rule.book.Match;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.ClientRequest;
import dev.weir.simulation.exchange.StoreCall;
import dev.weir.simulation.exchange.StoreMessage;
import dev.weir.simulation.exchange.StoreMessage.Purpose;
import dev.weir.simulation.plan.ClientGroup;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps an account of everything observable from outside, and collects broken invariants. */
public final class Audit {
  final LeaseTracker leases;
  private final World world;
  private final Map<LimitKey, Account> accounts = new LinkedHashMap<>();
  private final Map<Invariant, Violation> violations = new EnumMap<>(Invariant.class);
  private final List<AuditedServer> servers = new ArrayList<>();
  private final Map<AuditedServer, Map<Account, ServerUsage>> usages = new HashMap<>();
  private @Nullable ClientRequest currentRequest;
  private @Nullable StoreCall currentCall;

  /**
   * Opens an account for each counter of each client.
   *
   * @param clock the clock of the store, by which it counts
   */
  public Audit(World world, WallClock clock, List<ClientGroup> groups) {
    this.world = world;
    this.leases = new LeaseTracker(world, clock, this);
    for (ClientGroup group : groups) {
      for (int client = 0; client < group.clients(); client++) {
        Match match = group.match(client, 1, 1);
        for (int i = 0; i < match.claims().size(); i++) {
          String label = match.charges().get(i).rule().name() + "/" + ClientGroup.client(client);
          Claim claim = match.claims().get(i);
          accounts.put(
              claim.key(),
              new Account(
                  label, group, claim, limit -> new PoliteClientModel(world, clock, limit)));
        }
      }
    }
  }

  Iterable<Account> accounts() {
    return accounts.values();
  }

  /** Whether a claim is on a client's counter, and not a health probe. */
  public boolean isAudited(Claim claim) {
    return accounts.containsKey(claim.key());
  }

  /**
   * The account of a counter.
   *
   * @throws IllegalStateException if no client has that counter
   */
  public Account account(Claim claim) {
    Account account = accounts.get(claim.key());
    if (account == null) {
      throw new IllegalStateException("a claim on a counter that no client has: " + claim);
    }
    return account;
  }

  ServerUsage usage(AuditedServer server, Claim claim) {
    return usage(server, account(claim));
  }

  ServerUsage usage(AuditedServer server, Account account) {
    return usagesOf(server).computeIfAbsent(account, ServerUsage::new);
  }

  Collection<ServerUsage> usages(AuditedServer server) {
    return usagesOf(server).values();
  }

  private Map<Account, ServerUsage> usagesOf(AuditedServer server) {
    return usages.computeIfAbsent(server, key -> new LinkedHashMap<>());
  }

  /** Records that an invariant is broken now; the first violation of each invariant is kept. */
  public void violate(Invariant invariant, Object account, String description) {
    Violation violation = new Violation(invariant, world.nanos(), account.toString(), description);
    if (violations.putIfAbsent(invariant, violation) == null) {
      world.log(() -> "! BROKEN " + invariant + " " + account + ": " + description);
    }
  }

  void violateAt(long nanos, Invariant invariant, Object account, String description) {
    violations.putIfAbsent(
        invariant, new Violation(invariant, nanos, account.toString(), description));
  }

  /** The first violation of each broken invariant. */
  public List<Violation> violations() {
    return List.copyOf(violations.values());
  }

  // Calls of servers to the store.

  Purpose purposeOfTake(List<Claim> claims) {
    return isLeaseOperation(claims) ? Purpose.REFILL : Purpose.TAKE;
  }

  Purpose purposeOfRefund(List<Claim> claims) {
    return isLeaseOperation(claims) ? Purpose.RETURN : Purpose.REFUND;
  }

  /** Whether a lease makes the call: it sends a strict claim on a counter in a leased mode. */
  private boolean isLeaseOperation(List<Claim> claims) {
    return claims.size() == 1
        && claims.get(0).mode().equals(Mode.STRICT)
        && account(claims.get(0)).leases();
  }

  /** Sets the client request that a server handles at the moment. */
  public void setCurrentRequest(@Nullable ClientRequest request) {
    currentRequest = request;
  }

  @Nullable ClientRequest currentRequest() {
    return currentRequest;
  }

  /** Runs a call of a server to its store; messages sent meanwhile belong to the call. */
  Answer inCall(StoreCall call, Supplier<Answer> work) {
    StoreCall before = currentCall;
    currentCall = call;
    try {
      return work.get();
    } finally {
      currentCall = before;
    }
  }

  /** Checks that a message belongs to a call and is the only one of that call. */
  void onSent(StoreMessage message) {
    if (currentCall == null || !currentCall.accepts(message)) {
      Account account = account(message.claims.get(0));
      String description =
          message + " of " + message.server + " was sent again, or does not match its call";
      violate(Invariant.ONCE, account, description);
    }
  }

  /** Checks that a server calls the store once per client request. */
  void onClientTake() {
    if (currentRequest == null) {
      violate(Invariant.ONCE, "a take", "sent to the store without a client request");
    } else if (++currentRequest.storeCalls > 1) {
      violate(Invariant.ONCE, "request " + currentRequest.number, "called the store twice");
    }
  }

  // Servers.

  /** Adds a server that has started. */
  public void onServerStarted(AuditedServer server) {
    servers.add(server);
    updateMaxHeld();
  }

  List<AuditedServer> servers() {
    return servers;
  }

  /** Recomputes what servers may hold, after one learned the fleet size, resumed or died. */
  public void updateMaxHeld() {
    leases.updateMaxHeld();
  }

  /** Voids the leases of a server that has learned that the store lost all its data. */
  public void onStoreDataLost(AuditedServer server) {
    leases.onStoreDataLost(server);
  }

  /** Records the time of a server's clock; called before and after it is set. */
  public void onClockChange(AuditedServer server) {
    long micros = server.wallClock().micros();
    usages(server).forEach(usage -> usage.pendingCharge.advanceTo(micros));
  }
}
