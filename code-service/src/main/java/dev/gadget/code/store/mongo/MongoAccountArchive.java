package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.gadget.code.account.Account;
import dev.gadget.code.store.AccountArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.Role;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/** Keeps accounts in MongoDB; the lower-cased email is a field of its own, because it is the unique key. */
@ApplicationScoped
public class MongoAccountArchive implements AccountArchive, StoreIndexes {
    private static final String EMAIL_KEY = "emailKey";

    private final MongoCollection<BsonDocument> accounts;

    MongoAccountArchive(StoreDatabase database) {
        accounts = database.collection("accounts", BsonDocument.class);
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(accounts, EMAIL_KEY);
        StoreIndexes.unique(accounts, ListKey.FIELD);
    }

    @Override
    public void insert(Account account) {
        StoreCalls.run("insert account", () -> accounts.insertOne(document(account, account.version())));
    }

    @Override
    public Optional<Account> find(UserId id) {
        return first(eq("_id", id.value()));
    }

    @Override
    public Optional<Account> byEmail(String email) {
        return first(eq(EMAIL_KEY, key(email)));
    }

    @Override
    public Slice<Account> list(Optional<String> after, int limit) {
        return ListPages.newestFirst(
                "list accounts", accounts, Filters.empty(), after, limit, MongoAccountArchive::account);
    }

    @Override
    public void replace(Account account) {
        long expected = account.version();
        Bson unchanged = and(eq("_id", account.id().value()), eq(Versions.FIELD, expected));
        long matched = StoreCalls.call(
                "replace account",
                () -> accounts.replaceOne(unchanged, document(account, expected + 1))
                        .getMatchedCount());
        if (matched != 1) {
            throw Versions.changed("account", account.id().value(), expected);
        }
    }

    @Override
    public long count() {
        return StoreCalls.call("count accounts", accounts::countDocuments);
    }

    private Optional<Account> first(Bson filter) {
        return StoreCalls.call(
                "find account",
                () -> Optional.ofNullable(accounts.find(filter).first()).map(MongoAccountArchive::account));
    }

    private static String key(String email) {
        return email.strip().toLowerCase(Locale.ROOT);
    }

    private static BsonDocument document(Account account, long version) {
        return Fields.fresh()
                .put("_id", account.id().value())
                .put("email", account.email())
                .put(EMAIL_KEY, key(account.email()))
                .put("name", account.name())
                .put("role", StoredEnum.toStored(account.role()))
                .put("passwordHash", account.passwordHash())
                .put("disabled", account.disabled() ? 1 : 0)
                .putDate("createdAt", account.createdAt())
                .put(ListKey.FIELD, ListKey.of(account.createdAt(), account.id().value()))
                .put(Versions.FIELD, version)
                .document();
    }

    private static Account account(BsonDocument document) {
        var fields = new Fields(document);
        return new Account(
                new UserId(fields.string("_id")),
                fields.string("email"),
                fields.string("name"),
                StoredEnum.fromStored(Role.class, fields.string("role")),
                fields.string("passwordHash"),
                fields.number("disabled") != 0,
                fields.date("createdAt"),
                fields.number(Versions.FIELD));
    }
}
