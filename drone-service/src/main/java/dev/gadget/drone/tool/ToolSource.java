package dev.gadget.drone.tool;

import java.util.List;

/** Tools that come and go while the drone runs. To add a source, write one bean of this type; it is found, never listed. */
public interface ToolSource {
    /** What there is now; it answers at once. */
    List<Tool> tools();
}
