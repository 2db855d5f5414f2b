package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which wire a model provider speaks. */
public enum ProviderType {
    /** Chat completions as OpenAI defined them, which most servers speak. */
    @JsonProperty("openai")
    OPENAI,
    /** Ollama's own /api/chat. */
    @JsonProperty("ollama")
    OLLAMA
}
