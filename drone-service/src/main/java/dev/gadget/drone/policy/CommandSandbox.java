package dev.gadget.drone.policy;

import jakarta.inject.Singleton;

/** The sandbox of this process, once its command has found out what works. */
@Singleton
public class CommandSandbox {
    private volatile Sandbox sandbox = Sandbox.off();

    public void use(Sandbox found) {
        sandbox = found;
    }

    public Sandbox get() {
        return sandbox;
    }
}
