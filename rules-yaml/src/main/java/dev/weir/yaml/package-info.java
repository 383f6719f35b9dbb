/** Rules in YAML: from files to a rule book, with errors that say where, what and what else. */
@NullMarked
package dev.weir.yaml;

import org.jspecify.annotations.NullMarked;
