package dev.weir.simulation;

import java.util.ArrayList;
import java.util.List;

/** The servers: places, each with a line and a clock, and at most one server at a time. */
final class Cluster {
  /** So long may one that is told to stop take to give back what it leased. */
  private static final long STOPPING_NANOS = World.millis(500);

  private final World world;
  private final Plan plan;
  private final Central central;
  private final Node.Hub hub;
  private final List<Line> lines = new ArrayList<>();
  private final List<Wall> walls = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();

  Cluster(World world, Plan plan, Central central, Wall clock, Node.Hub hub) {
    this.world = world;
    this.plan = plan;
    this.central = central;
    this.hub = hub;
    for (int i = 0; i < plan.nodes(); i++) {
      lines.add(new Line(world));
      long offset = world.chance(0.3) ? 0 : world.between(-3_000_000, 3_000_000);
      walls.add(new Wall(world, clock.micros() + offset, world.between(-200, 200)));
      nodes.add(start(i));
    }
  }

  private Node start(int place) {
    String name = "n" + place;
    Node node = new Node(name, lines.get(place), walls.get(place), world, plan, central, hub);
    world.tell(() -> "! " + node + " starts");
    hub.audit().joined(node);
    node.start();
    return node;
  }

  void startAt(int place) {
    if (!nodes.get(place).isAlive()) {
      world.count(Happening.RESTART);
      nodes.set(place, start(place));
    }
  }

  List<Line> lines() {
    return lines;
  }

  private int any() {
    return world.random().nextInt(nodes.size());
  }

  int crashOne() {
    int place = any();
    if (nodes.get(place).isAlive()) {
      world.count(Happening.CRASH);
      die(nodes.get(place));
    }
    return place;
  }

  private void die(Node node) {
    if (node.isAlive()) {
      world.tell(() -> "! " + node + " dies");
      node.crash();
      hub.verdicts().died(node);
      hub.audit().held();
    }
  }

  int stopOne() {
    int place = any();
    Node node = nodes.get(place);
    if (node.isServing() && !node.pause.isPaused()) {
      world.tell(() -> "! " + node + " is told to stop");
      world.count(Happening.STOP);
      var stopped = node.stop();
      world.after(
          STOPPING_NANOS,
          () -> {
            if (node.isAlive() && stopped.isDone()) {
              Books.balance(hub.audit(), node);
            }
            die(node);
          });
    }
    return place;
  }

  /** It does nothing for so long, and then everything that was due. */
  void pauseOne(long nanos) {
    Node node = nodes.get(any());
    if (node.isServing() && !node.pause.isPaused()) {
      world.tell(() -> "! " + node + " is paused");
      world.count(Happening.PAUSE);
      node.pause.begin();
      world.after(nanos, () -> resume(node));
    }
  }

  private void resume(Node node) {
    if (node.pause.isPaused()) {
      world.tell(() -> "! " + node + " goes on");
      node.pause.end();
      hub.audit().held();
    }
  }

  void resumeAll() {
    nodes.forEach(this::resume);
  }

  void jumpOne(long micros) {
    int place = any();
    // What has flowed back by now, has; and what is too far ahead then is nobody's any more.
    moveDebts(place);
    walls.get(place).jump(micros);
    moveDebts(place);
    world.count(micros < 0 ? Happening.CLOCK_SET_BACK : Happening.CLOCK_SET_FORWARD);
    world.tell(() -> "! clock of " + nodes.get(place) + " jumps by " + micros + " us");
  }

  private void moveDebts(int place) {
    long micros = walls.get(place).micros();
    nodes.get(place).holdings.values().forEach(holding -> holding.debt.moveTo(micros));
  }

  List<Node> nodes() {
    return nodes;
  }
}
