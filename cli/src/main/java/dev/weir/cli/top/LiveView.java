package dev.weir.cli.top;

import dev.weir.cli.command.Failure;
import dev.weir.cli.terminal.Screen;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The page on the screen of a terminal, until a key ends it. For one thread. */
final class LiveView {
  private static final Duration KEYS = Duration.ofMillis(200);
  private static final Duration SIZES = Duration.ofSeconds(1);
  private static final int MIN_LINES_FOR_HELP = 16;

  private final Terminal out;
  private final Page page;
  private final LiveStream stream;
  private final SidePages side;
  private final InstantSource clock;

  LiveView(Terminal out, Page page, LiveStream stream, SidePages side, InstantSource clock) {
    this.out = out;
    this.page = page;
    this.stream = stream;
    this.side = side;
    this.clock = clock;
  }

  /** Shows the page and what follows it. */
  void run(LiveState first) throws Failure, InterruptedException {
    try (Screen screen = Screen.open(out)) {
      LiveState state = first;
      Screen.Size size = Screen.size();
      Instant sized = clock.instant();
      while (obey(screen)) {
        screen.show(lines(state, size, screen.hasKeys()), size);
        LiveState next = stream.await(state, KEYS);
        state = next == null ? state : next;
        stream.endSilence();
        if (Duration.between(sized, clock.instant()).abs().compareTo(SIZES) >= 0) {
          sized = clock.instant();
          Screen.Size now = Screen.size();
          if (!now.equals(size)) {
            size = now;
            screen.repaint();
          }
        }
      }
    }
  }

  private List<List<Object>> lines(LiveState state, Screen.Size size, boolean keys) {
    boolean help = keys && size.lines() >= MIN_LINES_FOR_HELP;
    Screen.Size room = help ? new Screen.Size(size.lines() - 1, size.columns()) : size;
    List<List<Object>> lines =
        new ArrayList<>(page.lines(state, side.content(), clock.instant(), stream.problem(), room));
    if (help) {
      while (lines.size() < room.lines()) {
        lines.add(List.of());
      }
      CallerQuery query = side.query();
      String of = query.rule().isEmpty() ? "" : "   rule " + query.rule();
      lines.add(
          List.of(
              Style.DIM.of(
                  "q quit   k callers: " + query.kind() + "   w window: " + query.window() + of)));
    }
    return lines;
  }

  /** Whether to go on after the keys that were pressed. */
  private boolean obey(Screen screen) {
    String pressed = screen.keysPressed();
    for (int i = 0; i < pressed.length(); i++) {
      char key = pressed.charAt(i);
      if (key == 'k') {
        side.ask(side.query().nextKind());
      } else if (key == 'w') {
        side.ask(side.query().nextWindow());
      }
    }
    return pressed.indexOf('q') < 0 && pressed.indexOf('Q') < 0;
  }
}
