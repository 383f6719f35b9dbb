/** What all commands share: exit codes, failures, input, requests to a server. */
@NullMarked
package dev.weir.cli.command;

import org.jspecify.annotations.NullMarked;
