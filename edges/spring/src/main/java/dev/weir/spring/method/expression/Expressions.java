package dev.weir.spring.method.expression;

import dev.weir.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Parses the expressions of annotations, and finds at the start what would fail in every call:
 * names of parameters and of beans that do not exist. For the thread that makes a bean.
 */
public final class Expressions {
  private static final List<String> ROOT = List.of("target", "method", "args");

  private final SpelExpressionParser parser = new SpelExpressionParser();
  private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
  private final StandardEvaluationContext shared = new StandardEvaluationContext();
  private final BeanFactory beans;

  /** Parses expressions that may name beans of a factory. */
  public Expressions(BeanFactory beans) {
    this.beans = beans;
    shared.setBeanResolver(new BeanFactoryResolver(beans));
  }

  /**
   * The key of a method; if the text is empty, all callers share one.
   *
   * @throws dev.weir.spring.WeirStartupException if every call would fail
   */
  public KeyExpression key(AnnotationSite site, String text) {
    return new KeyExpression(text.isEmpty() ? null : expression(site, "key", text));
  }

  /**
   * The cost of a method.
   *
   * @throws dev.weir.spring.WeirStartupException if every call would fail
   */
  public CostExpression cost(AnnotationSite site, String text) {
    CallExpression expression = expression(site, "cost", text);
    SpelNode ast = parse(site, "cost", text).getAST();
    if (!(ast instanceof Literal literal)) {
      return CostExpression.of(expression);
    }
    Object value = literal.getLiteralValue().getValue();
    if (value instanceof Number number
        && number.longValue() >= 1
        && number.longValue() == number.doubleValue()
        && number.longValue() <= Claim.MAX_COST) {
      return CostExpression.of(number.longValue());
    }
    throw site.wrong(
        "cost",
        text,
        "a whole number between 1 and " + Claim.MAX_COST,
        "Write a number, or an expression that gives one, such as #items.size().");
  }

  private CallExpression expression(AnnotationSite site, String attribute, String text) {
    SpelExpression parsed = parse(site, attribute, text);
    Names known = new Names(site, names.getParameterNames(site.declared()));
    check(parsed.getAST(), true, known, problem -> reject(site, attribute, text, problem, known));
    return new CallExpression(site, attribute, parsed, names, shared);
  }

  private SpelExpression parse(AnnotationSite site, String attribute, String text) {
    try {
      return parser.parseRaw(text);
    } catch (ParseException | IllegalStateException e) {
      throw site.wrong(
          attribute,
          text,
          "an expression of Spring: " + e.getMessage(),
          "Write an expression such as #user.id, or a text in quotes such as 'all'.",
          e);
    }
  }

  private static void reject(
      AnnotationSite site, String attribute, String text, String unknown, Names known) {
    if (unknown.startsWith("@")) {
      throw site.wrong(
          attribute,
          text,
          unknown + " to be a bean",
          "Declare a bean of this name, or mend the name.");
    }
    throw site.wrong(attribute, text, unknown + " to be " + known.known(), known.remedy());
  }

  /** Looks at a node and those below it, as far as their subject is known. */
  private void check(SpelNode node, boolean ofRoot, Names known, Consumer<String> unknown) {
    if (node instanceof VariableReference && !known.has(node.toStringAST())) {
      unknown.accept(node.toStringAST());
    }
    if (node instanceof BeanReference) {
      String name = node.toStringAST().replaceFirst("^[@&]+", "").replace("'", "");
      if (!beans.containsBean(name)) {
        unknown.accept(node.toStringAST());
      }
    }
    if (ofRoot && node instanceof PropertyOrFieldReference property) {
      if (!ROOT.contains(property.getName())) {
        unknown.accept(property.getName());
      }
    }
    boolean elsewhere = node instanceof Projection || node instanceof Selection;
    boolean compound = node.getClass().getSimpleName().equals("CompoundExpression");
    for (int i = 0; i < node.getChildCount(); i++) {
      check(node.getChild(i), ofRoot && !elsewhere && (i == 0 || !compound), known, unknown);
    }
  }

  /** The variables that an expression may have. */
  private static final class Names {
    private final List<String> all = new ArrayList<>();
    private final boolean named;

    Names(AnnotationSite site, String @Nullable [] parameters) {
      this.named = parameters != null;
      int count = site.declared().getParameterCount();
      for (int i = 0; i < count; i++) {
        if (parameters != null) {
          all.add("#" + parameters[i]);
        }
      }
      for (int i = 0; i < count; i++) {
        all.add("#a" + i);
        all.add("#p" + i);
      }
      all.add("#root");
    }

    boolean has(String variable) {
      return variable.equals("#this") || all.contains(variable);
    }

    String known() {
      return "one of " + String.join(", ", all);
    }

    String remedy() {
      return named
          ? "Name a parameter of the method, or write a text in quotes such as 'all'."
          : "Compile with -parameters, so that parameters have names, or write #a0 for the first.";
    }
  }
}
