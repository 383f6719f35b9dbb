/** YAML with positions: nodes, sections, problems with line and column. */
@NullMarked
package dev.weir.rules.yaml;

import org.jspecify.annotations.NullMarked;
