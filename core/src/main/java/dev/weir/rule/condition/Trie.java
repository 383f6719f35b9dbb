package dev.weir.rule.condition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A trie with a list of items at each word; a walk along a text passes all words in it. */
final class Trie<T> {
  private final Node<T> root = new Node<>();

  private static final class Node<T> {
    /** The characters of the edges, sorted; {@code next} has the nodes they lead to. */
    private char[] chars = {};

    private final List<Node<T>> next = new ArrayList<>(0);
    final List<T> here = new ArrayList<>(0);

    @Nullable Node<T> next(char c) {
      int at = Arrays.binarySearch(chars, c);
      return at < 0 ? null : next.get(at);
    }

    Node<T> make(char c) {
      int at = Arrays.binarySearch(chars, c);
      if (at >= 0) {
        return next.get(at);
      }
      int gap = -at - 1;
      char[] more = new char[chars.length + 1];
      System.arraycopy(chars, 0, more, 0, gap);
      more[gap] = c;
      System.arraycopy(chars, gap, more, gap + 1, chars.length - gap);
      chars = more;
      Node<T> made = new Node<>();
      next.add(gap, made);
      return made;
    }
  }

  boolean isEmpty() {
    return root.chars.length == 0;
  }

  /** The mutable list of items at a word. */
  List<T> at(CharSequence word) {
    Node<T> node = root;
    for (int i = 0; i < word.length(); i++) {
      node = node.make(word.charAt(i));
    }
    return node.here;
  }

  /** Passes the items at each word that occurs in the text at {@code from}. */
  void forward(String text, int from, Consumer<? super T> found) {
    Node<T> node = root.chars.length == 0 ? null : root;
    for (int i = from; node != null && i < text.length(); i++) {
      node = node.next(text.charAt(i));
      if (node != null) {
        node.here.forEach(found);
      }
    }
  }

  /** Passes the items at each word that the reversed text begins with. */
  void backward(String text, Consumer<? super T> found) {
    Node<T> node = root.chars.length == 0 ? null : root;
    for (int i = text.length() - 1; node != null && i >= 0; i--) {
      node = node.next(text.charAt(i));
      if (node != null) {
        node.here.forEach(found);
      }
    }
  }
}
