package dev.weir.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lists of things, each at the end of a word; a walk along a text passes all of its words. */
final class Trie<T> {
  private final Node<T> root = new Node<>();

  private static final class Node<T> {
    /** The characters that lead on, in order, and where to. */
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

  /** The list at the end of a word, to be added to. */
  List<T> at(CharSequence word) {
    Node<T> node = root;
    for (int i = 0; i < word.length(); i++) {
      node = node.make(word.charAt(i));
    }
    return node.here;
  }

  /** What is at the end of each word that stands in the text from some place on. */
  void forward(String text, int from, Consumer<? super T> found) {
    Node<T> node = root.chars.length == 0 ? null : root;
    for (int i = from; node != null && i < text.length(); i++) {
      node = node.next(text.charAt(i));
      if (node != null) {
        node.here.forEach(found);
      }
    }
  }

  /** What is at the end of each word that the text, read from its end, begins with. */
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
