package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.ServerProcess;
import dev.weir.testkit.Repository;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The path of one check from the edge to the script in Redis and back, as docs/architecture.md
 * lists it.
 *
 * <p>A class is on the path if it is on the stack of a real server at one of three moments: when
 * the script call goes to the driver, when the decision leaves the thread of the driver, and when
 * the response is written. What such a class calls, and what returns to it, is not on the path:
 * matching rules, writing headers. Records and interfaces do not count, but are listed too.
 */
class RequestPathTest {
  private static final int MAX_CLASSES = 15;
  private static final String EDGE = "dev.weir.server.TrafficEdge";
  private static final String CHECK = "dev.weir.server.check.CheckEdge";
  private static final String REPLIES = "dev.weir.server.reply.Replies";
  private static final Pattern DEBUG_PORT = Pattern.compile("dt_socket at address: ([0-9]+)");
  private static final Pattern SOURCE = Pattern.compile("src/main/java/([a-zA-Z/]+)\\.java\\)");

  @Test
  void checkOnRedisPassesTheListedClassesAndNoMoreThanFifteen(@TempDir Path folder)
      throws Exception {
    Path rules =
        Files.writeString(
            folder.resolve("rules.yaml"),
            "rules:\n  - {name: hello, match: {path: /hello}, per: ip, limit: 1000/minute}\n");
    Set<String> passed;
    try (RedisServer redis = RedisServer.start();
        ServerProcess server = debuggable(rules, redis.port());
        StackProbe probe = new StackProbe(debugPort(server))) {
      passed = trace(server, probe);
    }
    Set<String> classes = new TreeSet<>();
    for (String name : passed) {
      Class<?> type = Class.forName(name);
      if (!type.isRecord() && !type.isInterface()) {
        classes.add(name);
      }
    }
    Set<String> onPath = listed(1);
    Set<String> called = listed(2);
    assertThat(classes).isEqualTo(onPath).hasSizeLessThanOrEqualTo(MAX_CLASSES);
    passed.removeAll(onPath);
    assertThat(called).containsAll(passed);
  }

  private static ServerProcess debuggable(Path rules, int redis) throws Exception {
    List<String> options =
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");
    String store = "redis://127.0.0.1:" + redis + "?deadline=30s"; // a debugger takes its time
    return ServerProcess.confined(
            1024, options, "--rules", rules, "--store", store, "--warm-up-seconds", 0)
        .awaitReady();
  }

  private static int debugPort(ServerProcess server) throws Exception {
    Matcher found = DEBUG_PORT.matcher(server.output());
    assertThat(found.find()).isTrue();
    return Integer.parseInt(found.group(1));
  }

  /** The top-level types of Weir from the edge to the driver and back. */
  private static Set<String> trace(ServerProcess server, StackProbe probe) throws Exception {
    assertThat(server.check("/hello")).isEqualTo(200); // loads the classes
    probe.recordAtImplementations("io.lettuce.core.RedisChannelWriter", "write"::equals);
    probe.recordAtImplementations("io.vertx.core.http.HttpServerResponse", "end"::equals);
    probe.recordAtMethods(REPLIES, name -> name.startsWith("lambda$when$"));
    // While a batch is in flight, a check joins the next one, which another thread sends; and an
    // answer that is quicker than the edge needs no other thread to be handed over.
    for (int i = 0; i < 200 && !isWhole(probe.stacks()); i++) {
      assertThat(server.check("/hello")).isEqualTo(200);
    }
    Set<String> passed = new TreeSet<>();
    assertThat(probe.stacks())
        .anyMatch(RequestPathTest::isSend)
        .anyMatch(RequestPathTest::isHandedOver);
    for (List<String> stack : probe.stacks()) {
      if (isSend(stack) || stack.contains(REPLIES)) {
        int edge = stack.lastIndexOf(EDGE);
        for (String frame : edge < 0 ? stack : stack.subList(0, edge + 1)) {
          if (frame.startsWith("dev.weir.")) {
            passed.add(frame.replaceFirst("\\$.*", ""));
          }
        }
      }
    }
    return passed;
  }

  private static boolean isWhole(List<List<String>> stacks) {
    return stacks.stream().anyMatch(RequestPathTest::isSend)
        && stacks.stream().anyMatch(RequestPathTest::isHandedOver);
  }

  /** Whether a stack is that of the thread that reads from Redis, when it ends with a check. */
  private static boolean isHandedOver(List<String> stack) {
    return stack.contains(REPLIES)
        && !stack.contains(CHECK)
        && stack.stream().anyMatch(frame -> frame.startsWith("dev.weir.redis.batch."));
  }

  private static boolean isSend(List<String> stack) {
    return stack.get(0).startsWith("io.lettuce.") && stack.contains(CHECK);
  }

  /** The classes in a column of the trace in docs/architecture.md. */
  private static Set<String> listed(int column) throws Exception {
    String page = Files.readString(Repository.path("docs/architecture.md"));
    String section = page.substring(page.indexOf("## One request, traced"));
    Set<String> classes = new TreeSet<>();
    for (String row : section.substring(0, section.indexOf("\n## ")).lines().toList()) {
      String[] cells = row.split("\\|", -1);
      if (cells.length > column + 1) {
        Matcher source = SOURCE.matcher(cells[column + 1]);
        while (source.find()) {
          classes.add(source.group(1).replace('/', '.'));
        }
      }
    }
    return classes;
  }
}
