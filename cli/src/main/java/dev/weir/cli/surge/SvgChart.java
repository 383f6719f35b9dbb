package dev.weir.cli.surge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** A line chart over seconds, as SVG without scripts. Colours are classes of the page's style. */
final class SvgChart {
  private static final int WIDTH = 620;
  private static final int HEIGHT = 230;
  private static final int LEFT = 62;
  private static final int RIGHT = 12;
  private static final int TOP = 30;
  private static final int BOTTOM = 28;
  private static final int X_STEP = 5;

  private final String title;
  private final int seconds;
  private final Scale scale;
  private final DoubleFunction<String> label;
  private final StringBuilder body = new StringBuilder();
  private final List<String> legend = new ArrayList<>();

  /** Where a value is between the lower and the upper edge, and which values have a grid line. */
  private record Scale(double max, boolean logarithmic) {
    /** The least value of a logarithmic scale. */
    private static final double LEAST = 1;

    double position(double value) {
      if (logarithmic) {
        return Math.log10(Math.max(LEAST, value) / LEAST) / Math.log10(max / LEAST);
      }
      return value / max;
    }

    List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      if (logarithmic) {
        for (double tick = LEAST; tick <= max * 1.001; tick *= 10) {
          ticks.add(tick);
        }
      } else {
        for (int i = 0; i <= 4; i++) {
          ticks.add(max * i / 4);
        }
      }
      return ticks;
    }
  }

  private SvgChart(String title, int seconds, Scale scale, DoubleFunction<String> label) {
    this.title = title;
    this.seconds = Math.max(1, seconds);
    this.scale = scale;
    this.label = label;
  }

  /** A chart from zero to a round number that is at least {@code max}. */
  static SvgChart linear(String title, int seconds, double max, DoubleFunction<String> label) {
    return new SvgChart(title, seconds, new Scale(roundUp(max), false), label);
  }

  /** A chart from one to a power of ten that is at least {@code max}. */
  static SvgChart logarithmic(String title, int seconds, double max, DoubleFunction<String> label) {
    double top = Math.pow(10, Math.ceil(Math.log10(Math.max(10, max))));
    return new SvgChart(title, seconds, new Scale(top, true), label);
  }

  /** The least of 1, 2, 4 or 8 times a power of ten that is not below. */
  static double roundUp(double max) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(1, max))));
    for (int factor : new int[] {1, 2, 4, 8}) {
      if (factor * power >= max) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  /** Adds a line; a value that is NaN leaves a gap. */
  SvgChart line(String name, String style, double[] values) {
    StringBuilder path = new StringBuilder();
    boolean gap = true;
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        path.append(gap ? "M" : "L").append(number(x(i + 0.5))).append(' ');
        path.append(number(y(values[i])));
      }
      gap = Double.isNaN(values[i]);
    }
    body.append("<path class=\"line %s\" d=\"%s\"/>\n".formatted(style, path));
    legend.add("<tspan class=\"%s\" dx=\"14\">%s</tspan>".formatted(style, Html.escaped(name)));
    return this;
  }

  /** Adds a dashed line at a value. */
  SvgChart level(String name, double value) {
    String y = number(y(value));
    body.append("<path class=\"level\" d=\"M%d %sH%d\"/>\n".formatted(LEFT, y, WIDTH - RIGHT));
    body.append(
        "<text class=\"note\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s</text>\n"
            .formatted(WIDTH - RIGHT, number(y(value) - 4), Html.escaped(name)));
    return this;
  }

  /** Marks a second. */
  SvgChart mark(String name, int second) {
    String x = number(x(second));
    body.append("<path class=\"level\" d=\"M%s %dV%d\"/>\n".formatted(x, TOP, HEIGHT - BOTTOM));
    body.append(
        "<text class=\"note\" x=\"%s\" y=\"%d\">%s</text>\n"
            .formatted(number(x(second) + 4), TOP + 10, Html.escaped(name)));
    return this;
  }

  /** Adds what is shown when the pointer is over a second. */
  SvgChart hint(int second, String text) {
    body.append(
        "<rect class=\"hint\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"><title>%s</title></rect>\n"
            .formatted(
                number(x(second)),
                TOP,
                number(x(1) - x(0)),
                HEIGHT - BOTTOM - TOP,
                Html.escaped(text)));
    return this;
  }

  /** The chart as an SVG element. */
  String svg() {
    StringBuilder grid = new StringBuilder();
    for (double tick : scale.ticks()) {
      String y = number(y(tick));
      grid.append("<path class=\"grid\" d=\"M%d %sH%d\"/>".formatted(LEFT, y, WIDTH - RIGHT));
      grid.append(
          "<text class=\"axis\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s</text>\n"
              .formatted(LEFT - 6, number(y(tick) + 4), Html.escaped(label.apply(tick))));
    }
    for (int second = 0; second <= seconds; second += X_STEP) {
      grid.append(
          "<text class=\"axis\" x=\"%s\" y=\"%d\" text-anchor=\"middle\">%d s</text>\n"
              .formatted(number(x(second)), HEIGHT - BOTTOM + 16, second));
    }
    return """
        <svg viewBox="0 0 %d %d" role="img" aria-label="%s">
        <text class="title" x="%d" y="16">%s%s</text>
        %s%s</svg>
        """
        .formatted(
            WIDTH,
            HEIGHT,
            Html.escaped(title),
            LEFT,
            Html.escaped(title),
            String.join("", legend),
            grid,
            body);
  }

  private double x(double second) {
    return LEFT + (WIDTH - LEFT - RIGHT) * second / seconds;
  }

  private double y(double value) {
    double position = Math.max(0, Math.min(1, scale.position(value)));
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * position;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
