package dev.gadget.code.store;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.mongodb.client.MongoCluster;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Updates;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.gadget.code.store.mongo.StoreIndexes;

/** What keeps the code the same on the embedded store and on MongoDB. */
@AnalyzeClasses(packages = "dev.gadget.code", importOptions = ImportOption.DoNotIncludeTests.class)
class StoreRulesTest {
    @ArchTest
    static final ArchRule noTransactionsAndNoChangeStreams = noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching("com\\.mongodb\\.(client\\.|reactivestreams\\.client\\.)?"
                    + "(ClientSession|ChangeStreamIterable|TransactionOptions|TransactionBody|ClientSessionOptions)");

    @ArchTest
    static final ArchRule noSessionsWatchingOrWritesOfAWholeClient = noClasses()
            .should()
            .callMethodWhere(target(nameMatching("startSession|watch|bulkWrite"))
                    .and(target(owner(assignableTo(MongoCluster.class)))))
            .orShould()
            .callMethodWhere(
                    target(nameMatching("watch|createView")).and(target(owner(assignableTo(MongoDatabase.class)))))
            .orShould()
            .callMethodWhere(
                    target(nameMatching("watch|mapReduce")).and(target(owner(assignableTo(MongoCollection.class)))));

    @ArchTest
    static final ArchRule noFiltersThatScanOrThatOnlyOneOfThemKnows = noClasses()
            .should()
            .callMethodWhere(target(nameMatching("text|where|expr|jsonSchema|geo.*|near.*"))
                    .and(target(owner(assignableTo(Filters.class)))));

    @ArchTest
    static final ArchRule noUpdatesThatGrowADocumentOrReadTheClock = noClasses()
            .should()
            .callMethodWhere(target(nameMatching("push|pushEach|addToSet|addEachToSet|currentDate|currentTimestamp"))
                    .and(target(owner(assignableTo(Updates.class)))))
            .orShould()
            .callMethodWhere(target(nameMatching("out|merge")).and(target(owner(assignableTo(Aggregates.class)))));

    @ArchTest
    static final ArchRule noPartialCollatedOrExpiringIndexes = noClasses()
            .should()
            .callMethodWhere(target(nameMatching("partialFilterExpression|collation|expireAfter|hidden|weights"))
                    .and(target(owner(assignableTo(IndexOptions.class)))))
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching(
                    "com\\.mongodb\\.client\\.model\\.(CreateCollectionOptions|ValidationOptions|Collation|TimeSeriesOptions)");

    @ArchTest
    static final ArchRule indexesAreUnique = noClasses()
            .that()
            .areNotAssignableTo(StoreIndexes.class)
            .or()
            .doNotHaveSimpleName("StoreIndexes")
            .should()
            .callMethodWhere(target(nameMatching("createIndex|createIndexes"))
                    .and(target(owner(assignableTo(MongoCollection.class)))));
}
