package dev.gadget.drone.provider;

import java.util.Map;

/**
 * A tool as a model is told of it.
 *
 * @param parameters the JSON schema of its parameters, an object schema
 */
public record ToolSpec(String name, String description, Map<String, Object> parameters) {}
