package dev.gadget.code.provider;

import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;

/** What an exam found a model of a provider to do, as it is stored. */
public record ExaminedModel(UserId ownerId, ProviderId providerId, String model, ModelProfile profile) {}
