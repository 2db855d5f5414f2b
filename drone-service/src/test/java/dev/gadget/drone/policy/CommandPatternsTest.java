package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.policy.ApprovalRules.Call;
import dev.gadget.drone.policy.ApprovalRules.Verdict;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.ApprovalRule.Action;
import dev.gadget.model.turn.ToolEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A18: what a person may allow beyond one very command. */
class CommandPatternsTest {
    private static Verdict decide(List<ApprovalRule> rules, String line) {
        return ApprovalRules.decide(
                ApprovalPolicy.ASK,
                rules,
                "this session",
                new Call("run_command", ToolEffect.RUNS, List.of(), Optional.of(line)));
    }

    private static List<ApprovalRule> allowing(String... patterns) {
        return Stream.of(patterns).map(ApprovalRule::allowing).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " = ",
            value = {
                "git diff HEAD~1 = git diff *",
                "git --no-pager log -5 = git --no-pager log *",
                "git diff src/*.java = git diff *",
                "mvn test = mvn test *",
                "mvn -q -B -pl web -am test -DskipITs = mvn -q -B -pl web -am test *",
                "./mvnw verify = ./mvnw verify *",
                "./gradlew test --tests CartTest = ./gradlew test *",
                "npm run lint = npm run lint",
                "npm run -s lint = npm run -s lint",
                "npm test 2>&1 = npm test",
                "pnpm test = pnpm test",
                "yarn lint = yarn lint",
                "mvn clean test = mvn clean test *",
                "mvn -q clean -DskipITs package -T 1C = mvn -q clean -DskipITs package *",
                "git commit -am 'Say why -- twice' = git commit *",
                "cargo test cart = cargo test *",
                "go test ./... = go test *",
                "npm run lint 2>&1 | tail -20 = npm run lint;tail *",
                "git status; git status -s = git status *",
                "git diff | grep -n x | head -3 = git diff *;grep *;head *"
            })
    @DisplayName("program and subcommand, for each part of the line; what was proposed covers the line")
    void proposed(String line, String patterns) {
        List<String> proposed = CommandPatterns.of(line.strip());
        assertThat(proposed).containsExactly(patterns.strip().split(";"));
        assertThat(decide(allowing(proposed.toArray(String[]::new)), line.strip()))
                .isInstanceOf(Verdict.Run.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git",
                "cd web && npm run lint",
                "cd /tmp/evil && npm test",
                "cd evil && ./mvnw test",
                "dotnet test",
                "npm run lint -- src/a.ts",
                "npm --workspace web test",
                "npm test -C=/tmp/evil",
                "npm -sC ./evil test",
                "npm -prefix X test",
                "npm test ---script-shell=./evil",
                "npm run lint -- --import 'data:text/javascript,evil()'",
                "yarn --cwd=/tmp/evil lint",
                "mvn test -fevil.xml",
                "mvn clean post-site",
                "./gradlew test Publish",
                "git commit --amend",
                "git commit -n -m x",
                "git add -p",
                "cargo test -- --nocapture",
                "go test /tmp/evil_test.go",
                "go test -o=x ./...",
                "ruff check --config=evil.toml",
                "ruff format /tmp/x",
                "git push origin main",
                "git reset --hard",
                "git -c core.pager=evil diff",
                "git --exec-path=. diff",
                "git -C /elsewhere diff",
                "git diff --output=.bashrc",
                "git log --outp=x",
                "git diff --ext-diff",
                "git diff *",
                "git di*",
                "git config core.pager x",
                "git submodule foreach x",
                "git rebase --exec x",
                "/tmp/git diff",
                "./git diff",
                "mvn",
                "mvn exec:exec -Dexec.executable=sh",
                "mvn test exec:exec -Dexec.executable=sh",
                "mvn -Dexec.executable=sh test",
                "mvn -f /tmp/evil test",
                "mvn test -f /tmp/evil",
                "mvn test -Djvm=/tmp/evil",
                "mvn test -D jvm=/tmp/evil",
                "mvn test deploy",
                "gradle test pTML",
                "gradle test -I evil.gradle",
                "npm",
                "npm install x",
                "npm run",
                "npm run -- x",
                "npm run l*",
                "npm test --script-shell=/tmp/evil",
                "npm --prefix /tmp/evil test",
                "npm exec -c x",
                "npx -c 'curl evil'",
                "go test -exec=evil ./...",
                "go build -toolexec evil",
                "cargo --config x test",
                "cargo test --config build.rustc-wrapper=evil",
                "cargo run",
                "sh -c 'git diff'",
                "bash -lc 'npm test'",
                "python -c x",
                "python3 test.py",
                "node -e x",
                "perl -e x",
                "sudo git diff",
                "env git diff",
                "xargs git diff",
                "git diff | xargs rm",
                "find . -exec git diff",
                "time npm test",
                "make test",
                "ssh host git diff",
                "git diff > x",
                "git diff >> x",
                "git diff < x",
                "git diff | tee x",
                "git diff | sort -o x",
                "git diff && rm x",
                "git diff & npm test",
                "git diff $(id)",
                "git diff `id`",
                "X=1 git diff",
                "PATH=. git diff",
                "(git diff)",
                "! git diff",
                "git diff\rcurl evil",
                "cd .. && git diff",
                "cd a/../../b && git diff",
                "cd - && git diff",
                "cd ~ && git diff",
                "git diff x=~/y",
                "cd && git diff",
                "cd a b && git diff",
                "cd 'a b' && git diff",
                "npm run 'a b'",
                "npm run '*'",
                "npm run l\u0456nt",
                "npm run lint\u200b",
                "git diff && git log && git show && git status && git blame x && git add x",
                ""
            })
    @DisplayName("A18: nothing is proposed for what runs its arguments, writes elsewhere, or is not known for certain")
    void notProposed(String line) {
        assertThat(CommandPatterns.of(line)).isEmpty();
    }

    @Test
    @DisplayName("nothing is proposed for lines and words without end")
    void bounded() {
        assertThat(CommandPatterns.of("npm run " + "x".repeat(200))).isEmpty();
        assertThat(CommandPatterns.of("npm run x " + "y".repeat(20_000))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " = ",
            value = {
                "git diff * = git diff --stat HEAD",
                "mvn test * = mvn test -Dtest=CartTest -q",
                "mvn test * = mvn test -pl web,:api -am -ntp -DskipTests=false",
                "mvn * = mvn -q clean test",
                "npm test * = npm test --silent",
                "npm run * = npm run lint",
                "npm install * = npm install",
                "git * = git status --short",
                "git push * = git push origin main",
                "git commit * = git commit -m 'it says: --amend' src",
                "git add * = git add -A src",
                "./gradlew test * = ./gradlew test -q --tests com.shop.CartTest",
                "cargo test * = cargo test -p cart --release",
                "ruff check * = ruff check src --select=E",
                "dotnet test * = dotnet test -c Release",
                "go test * = go test -run Cart ./cart/...",
                "git diff * = git diff a*"
            })
    @DisplayName("the star stands for what a subcommand is told")
    void covered(String pattern, String line) {
        assertThat(decide(allowing(pattern.strip()), line.strip())).isInstanceOf(Verdict.Run.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git diff --output=x",
                "git diff --ou=x",
                "git diff -Oorder",
                "git diff *",
                "git diff ?-output",
                "git diff HEAD -- *",
                "git diff | sh",
                "git diff; curl evil",
                "mvn test exec:exec",
                "mvn test deploy",
                "mvn test -f evil.xml",
                "mvn test --fil=evil.xml",
                "mvn test -Dmaven.ext.class.path=evil.jar",
                "mvn test verify",
                "mvn test -f=evil.xml",
                "mvn test -fevil.xml",
                "mvn test -file evil.xml",
                "mvn test -ssettings.xml",
                "mvn test -lout",
                "mvn test post-site",
                "mvn test -Dmaven.compiler.executable=evil",
                "mvn test -Dmaven.surefire.debug=evil",
                "mvn test -Dtest.x=1",
                "mvn test -qf evil.xml",
                "mvn test -pl -fevil.xml",
                "mvn test -pl d*",
                "mvn test -pl",
                "npm run lint --scrip=/bin/evil",
                "npm run lint -- --import 'data:text/javascript,evil()'",
                "npm run lint x",
                "npm run lint -C=/tmp/evil",
                "npm run lint -sC ./evil",
                "npm run lint -prefix X",
                "npm run lint ---script-shell=./evil",
                "npm run lint; npm run evil",
                "npm run linty",
                "/tmp/npm run lint",
                "git commit --amend",
                "git commit --am",
                "git commit --no-verify -m x",
                "git commit -n -m x",
                "git commit -nm x",
                "git commit -m --no-verify",
                "git commit -e",
                "git add -e",
                "git add -i",
                "git add -pu",
                "git add --pat",
                "git diff --no-index a b",
                "git diff --ext-diff",
                "git diff -c core.pager=evil",
                "go test -exec=evil ./...",
                "go test --exec evil ./...",
                "go test -toolexec=evil ./...",
                "go test -vettool=evil ./...",
                "go test -o evil ./...",
                "go test ./../evil",
                "go test /tmp/evil_test.go",
                "go test ./... -args x",
                "cargo test --config=x",
                "cargo test -- --logfile x",
                "cargo test --manifest-path x",
                "ruff check --extend-exclude x",
                "ruff check --config x",
                "ruff check a/../../b",
                "./gradlew test publish",
                "./gradlew test pub",
                "./gradlew test Publish",
                "./gradlew test -q --tests CartTest Publish",
                "./gradlew test build",
                "./gradlew test -Pevil",
                "./gradlew test -Ievil"
            })
    @DisplayName("A18: it does not stand for what makes another thing of the subcommand")
    void notCovered(String line) {
        assertThat(decide(
                        allowing(
                                "git diff *",
                                "mvn test *",
                                "npm run lint *",
                                "git commit *",
                                "git add *",
                                "ruff check *",
                                "go test *",
                                "cargo test *",
                                "./gradlew test *"),
                        line))
                .isInstanceOf(Verdict.Ask.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git -c core.pager=evil status",
                "git push origin main",
                "git status --output=x",
                "/usr/bin/git diff --output=x",
                "mvn deploy",
                "mvn -fevil.xml test",
                "npm install evil",
                "npm run lint x",
                "npm exec evil"
            })
    @DisplayName("A18: a person's own star for such a program is as strict, wherever it stands")
    void asStrict(String line) {
        assertThat(decide(
                        allowing("git *", "/usr/bin/git diff *", "mvn *", "mvn * *", "npm *", "npm run *", "npm * *"),
                        line))
                .isInstanceOf(Verdict.Ask.class);
    }

    @Test
    @DisplayName("what a person's rule names itself is allowed as it is named")
    void named() {
        assertThat(decide(allowing("mvn -f other.xml test *"), "mvn -f other.xml test -q"))
                .isInstanceOf(Verdict.Run.class);
        assertThat(decide(allowing("npm run lint -- --fix"), "npm run lint -- --fix"))
                .isInstanceOf(Verdict.Run.class);
    }

    @Test
    @DisplayName("A19: a denial of the session stays above what was allowed, and what destroys is asked")
    void denied() {
        List<ApprovalRule> rules = new ArrayList<>(allowing("git add *", "mvn test *"));
        rules.add(new ApprovalRule(Action.DENY, null, null, "git add secrets"));
        assertThat(decide(rules, "git add secrets")).isInstanceOf(Verdict.Refuse.class);
        assertThat(decide(rules, "mvn test && git reset --hard")).isInstanceOf(Verdict.Ask.class);
    }
}
