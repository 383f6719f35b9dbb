package dev.weir.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Finds visible members without Javadoc, visible classes whose Javadoc does not say which threads
 * may use them, and visible methods whose Javadoc leaves out what they throw themselves.
 */
final class ContractScanner extends TreePathScanner<Void, Void> {
  private static final Pattern THREADS = Pattern.compile("(?i)thread|immutable|stateless");

  /** What says that the caller or Weir has a bug, not that a value was refused. */
  private static final Set<String> BUGS =
      Set.of("AssertionError", "NullPointerException", "UnsupportedOperationException");

  private final DocTrees docs;
  private final BiConsumer<Tree, String> report;
  private final Deque<ClassTree> visible = new ArrayDeque<>();
  private int checked;

  ContractScanner(DocTrees docs, BiConsumer<Tree, String> report) {
    this.docs = docs;
    this.report = report;
  }

  /** The number of types and members that were looked at. */
  int checked() {
    return checked;
  }

  @Override
  public Void visitClass(ClassTree type, Void unused) {
    if (type.getSimpleName().isEmpty() || !isVisible(type.getModifiers())) {
      return null;
    }
    String doc = doc();
    if (doc == null) {
      report.accept(type, "no Javadoc");
    } else if (isShared(type) && !THREADS.matcher(doc).find()) {
      report.accept(type, "Javadoc does not say which threads may use it");
    }
    checked++;
    visible.push(type);
    super.visitClass(type, null);
    visible.pop();
    return null;
  }

  @Override
  public Void visitMethod(MethodTree method, Void unused) {
    if (isVisible(method.getModifiers())) {
      checked++;
      String doc = doc();
      if (doc == null && !isOverride(method) && !isCanonical(method)) {
        report.accept(method, "no Javadoc");
      } else if (doc != null) {
        Set<String> undocumented = thrown(method);
        undocumented.removeIf(name -> doc.contains("@throws " + name) || doc.contains("." + name));
        if (!undocumented.isEmpty()) {
          report.accept(method, "no @throws for " + undocumented);
        }
      }
    }
    return null;
  }

  @Override
  public Void visitVariable(VariableTree field, Void unused) {
    boolean component = isRecord() && !field.getModifiers().getFlags().contains(Modifier.STATIC);
    if (isVisible(field.getModifiers()) && !component) {
      checked++;
      if (doc() == null) {
        report.accept(field, "no Javadoc");
      }
    }
    return null;
  }

  private @Nullable String doc() {
    return docs.getDocComment(getCurrentPath());
  }

  private boolean isRecord() {
    ClassTree type = visible.peek();
    return type != null && type.getKind() == Tree.Kind.RECORD;
  }

  private boolean isVisible(ModifiersTree modifiers) {
    Set<Modifier> flags = modifiers.getFlags();
    ClassTree outer = visible.peek();
    boolean ofInterface =
        outer != null
            && outer.getKind() == Tree.Kind.INTERFACE
            && !flags.contains(Modifier.PRIVATE);
    return ofInterface || flags.contains(Modifier.PUBLIC) || flags.contains(Modifier.PROTECTED);
  }

  /** Whether instances have behaviour that several threads may meet in. */
  private static boolean isShared(ClassTree type) {
    Tree parent = type.getExtendsClause();
    boolean failure = parent != null && parent.toString().matches(".*(Exception|Error|Failure)");
    boolean utility =
        type.getMembers().stream()
            .filter(member -> !(member instanceof ClassTree))
            .map(ContractScanner::flags)
            .allMatch(flags -> flags.contains(Modifier.STATIC) || flags.contains(Modifier.PRIVATE));
    // Spring alone uses those, on one thread.
    boolean configuration =
        type.getModifiers().getAnnotations().stream()
            .anyMatch(one -> one.getAnnotationType().toString().matches("(Auto)?Configuration"));
    return type.getKind() == Tree.Kind.CLASS && !failure && !utility && !configuration;
  }

  private static Set<Modifier> flags(Tree member) {
    if (member instanceof MethodTree method) {
      return method.getModifiers().getFlags();
    }
    return member instanceof VariableTree field ? field.getModifiers().getFlags() : Set.of();
  }

  private static boolean isOverride(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
  }

  /** Whether it is the constructor of a record, whose components the record describes. */
  private boolean isCanonical(MethodTree method) {
    return isRecord() && method.getName().contentEquals("<init>");
  }

  /** The exceptions that a method declares, or throws in its own body. */
  private static Set<String> thrown(MethodTree method) {
    Set<String> names = new TreeSet<>();
    for (ExpressionTree declared : method.getThrows()) {
      names.add(declared.toString());
    }
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitThrow(ThrowTree statement, Void unused) {
        if (statement.getExpression() instanceof NewClassTree made) {
          names.add(made.getIdentifier().toString());
        }
        return null;
      }

      @Override
      public Void visitLambdaExpression(LambdaExpressionTree lambda, Void unused) {
        return null;
      }

      @Override
      public Void visitNewClass(NewClassTree made, Void unused) {
        return null;
      }

      @Override
      public Void visitTry(TryTree statement, Void unused) {
        // What is thrown in the block may be caught; what is thrown in a catch clause leaves.
        scan(statement.getCatches(), null);
        return null;
      }
    }.scan(method.getBody(), null);
    names.removeAll(BUGS);
    return names;
  }
}
