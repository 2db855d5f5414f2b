/** Projects in a workspace: cloned on first use, synced on request, each session in a working tree of its own if it wants one. */
@NullMarked
package dev.gadget.drone.project;

import org.jspecify.annotations.NullMarked;
