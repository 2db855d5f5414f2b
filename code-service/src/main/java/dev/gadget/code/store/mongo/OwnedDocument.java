package dev.gadget.code.store.mongo;

/** A stored form that belongs to one person. */
public abstract class OwnedDocument extends StoredDocument {
    public String ownerId = "";
}
