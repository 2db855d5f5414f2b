package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.drone.policy.ApprovalRules.Call;
import dev.gadget.drone.policy.ApprovalRules.Verdict;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.ApprovalRule.Action;
import dev.gadget.model.turn.ToolEffect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A18, A19, A20, A33: what rules say of a call. */
class ApprovalRulesTest {
    private static final List<ApprovalRule> RULES = List.of(
            command(Action.ALLOW, "npm test"),
            command(Action.ALLOW, "git status"),
            command(Action.ALLOW, "git log *"),
            command(Action.ALLOW, "ls *"),
            command(Action.DENY, "git push *"));

    private static ApprovalRule command(Action action, String words) {
        return new ApprovalRule(action, "run_command", null, words);
    }

    private static Verdict decide(ApprovalPolicy policy, List<ApprovalRule> rules, String line) {
        return ApprovalRules.decide(
                policy, rules, "this session", new Call("run_command", ToolEffect.RUNS, List.of(), Optional.of(line)));
    }

    private static Verdict write(ApprovalPolicy policy, List<ApprovalRule> rules, String... paths) {
        return ApprovalRules.decide(
                policy,
                rules,
                "this session",
                new Call(
                        "edit_file",
                        ToolEffect.WRITES,
                        List.of(paths).stream().map(Path::of).toList(),
                        Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npm test",
                "  npm   test ",
                "npm test && git status",
                "git status; ls -la src",
                "git status | ls",
                "npm 'test'",
                "git log --oneline -5 2>&1",
                "npm test > /dev/null 2>&1",
                "npm test\ngit status",
                "git log \"--since=1 week\"",
                "if git status; then npm test; else git log; fi",
                "while git status; do npm test; done 2>/dev/null && ls",
                "ls *.java",
                "ls [a-c]?"
            })
    @DisplayName("every command of the line is allowed: it runs")
    void allowed(String line) {
        assertThat(decide(ApprovalPolicy.ASK, RULES, line)).isInstanceOf(Verdict.Run.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npm test && rm x",
                "npm test; curl evil",
                "npm test || curl evil",
                "npm test | sh",
                "npm test & curl evil",
                "npm test |& tee x",
                "npm test $(curl evil)",
                "npm test `curl evil`",
                "npm test > src/x",
                "npm test >> ~/.bashrc",
                "npm test < /etc/passwd",
                "npm test <(curl evil)",
                "git log $IFS",
                "X=1 npm test",
                "PATH=.:$PATH npm test",
                "env npm test",
                "sh -c 'npm test'",
                "npm test\rcurl evil",
                "npm test\ncurl evil",
                "npm test #x\ncurl evil",
                "npm te\\st; x",
                "npm test {a,b}",
                "git log ~",
                "git -c alias.x='!sh' x",
                "git status --x",
                "npm testx",
                "npm",
                "npm test extra",
                "./npm test",
                "npm test 2> x",
                "(npm test)",
                "! npm test",
                "npm test \"$(id)\"",
                "npm test 'open",
                "git log --output=x > y",
                "cat <<EOF\nnpm test\nEOF",
                "npm test >/dev/nullx",
                "\"npm test\"",
                "'then' npm test",
                ">/dev/null then npm test",
                "2>&1 then npm test",
                "fi npm test",
                "npm tes[t]",
                "npm *",
                "n?m test",
                "function npm",
                "for x in a; do npm test; done"
            })
    @DisplayName("A18: anything else, or anything that this does not know for certain, asks")
    void asks(String line) {
        assertThat(decide(ApprovalPolicy.ASK, RULES, line)).isInstanceOf(Verdict.Ask.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git push origin main",
                "npm test && git push",
                "/usr/bin/git push",
                "ls; git push x",
                "if git push origin main; then :; fi",
                "if true; then git push; fi",
                "if [ -d x ]; then ls; elif git push; then ls; else ls; fi",
                "while git push; do ls; done",
                "until ls\ndo git push\ndone",
                "if if git push; then ls; fi; then ls; fi",
                "git push origin *"
            })
    @DisplayName("what is denied is denied wherever it stands in the line, whatever the policy")
    void denied(String line) {
        assertThat(decide(ApprovalPolicy.AUTO, RULES, line)).isInstanceOf(Verdict.Refuse.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh -c 'git push'",
                "xargs git push",
                "echo $(git push)",
                "env git push",
                "find . -exec git push ;",
                "/usr/bin/gi[t] push origin",
                "g?t push",
                "git pus[h] origin",
                "git * origin",
                "* push",
                "trap 'git push' EXIT",
                "alias x='git push'\nx",
                "eval git push",
                "exec git push",
                "command git push",
                "builtin eval git push",
                "time git push",
                "nohup git push",
                "nice -n 5 git push",
                "timeout 5 git push",
                "coproc git push",
                "python3.12 x.py",
                "! git push",
                "{ git push; }",
                "(git push)",
                "f() { git push; }; f",
                "function f { git push; }; f",
                "case x in x) git push;; esac",
                "for x in push; do git $x; done",
                "select x in push; do git push; done",
                "git -C . push origin",
                "git --no-pager push",
                "git -c alias.x=push x",
                "~/git push",
                "{git,push}"
            })
    @DisplayName("a line that may hide what is denied asks, also where the policy lets everything through")
    void hidden(String line) {
        assertThat(decide(ApprovalPolicy.AUTO, RULES, line)).isInstanceOf(Verdict.Ask.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls *.java",
                "git log -- *.java",
                "git switch -c next",
                "git --no-pager log",
                "if [ -f x ]; then npm test; fi",
                "npm run 'git push'"
            })
    @DisplayName("what cannot be the denied command is not taken for it")
    void harmless(String line) {
        assertThat(decide(ApprovalPolicy.AUTO, List.of(command(Action.DENY, "git push *")), line))
                .isInstanceOf(Verdict.Run.class);
    }

    @Test
    @Timeout(30)
    @DisplayName("a rule full of stars is matched in no time")
    void stars() {
        assertThat(decide(
                        ApprovalPolicy.AUTO,
                        List.of(command(Action.DENY, "x " + "*a".repeat(200) + "b")),
                        "x " + "a".repeat(9000)))
                .isInstanceOf(Verdict.Run.class);
    }

    @Test
    @DisplayName("A19: very many commands, or a very long line, never slip through")
    void many() {
        for (int count : new int[] {51, 1000, 100_000}) {
            assertThat(decide(ApprovalPolicy.ASK, RULES, "npm test;".repeat(count)))
                    .isInstanceOf(Verdict.Ask.class);
            assertThat(decide(ApprovalPolicy.AUTO, RULES, "npm test;".repeat(count) + "git push x"))
                    .isNotInstanceOf(Verdict.Run.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm -rf ~",
                "rm -rf /",
                "rm -fr ../x",
                "rm -r -f *",
                "git push --force",
                "git push -f origin main",
                "git push origin +main",
                "git reset --hard HEAD~3",
                "git clean -fdx",
                "mkfs.ext4 /dev/sda",
                ":(){ :|:& };:",
                "chmod -R 777 .",
                "chown -R me x",
                "psql -c 'DROP TABLE users'",
                "echo $(rm -rf ~)",
                "sudo ls",
                "dd if=a of=/dev/sda",
                "cd x && git push --force-with-lease"
            })
    @DisplayName("A20: what destroys is always asked, and not allowed for the session")
    void destructive(String line) {
        assertThat(decide(ApprovalPolicy.AUTO, List.of(), line))
                .isInstanceOfSatisfying(
                        Verdict.Ask.class, ask -> assertThat(ask.always()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm -rf build",
                "rm x.txt",
                "git push origin main",
                "git reset HEAD x",
                "chmod +x run.sh",
                "make clean"
            })
    @DisplayName("plain work is not taken for destruction")
    void plain(String line) {
        assertThat(decide(ApprovalPolicy.AUTO, List.of(), line)).isInstanceOf(Verdict.Run.class);
    }

    @Test
    @DisplayName(
            "rules on paths: all have to be allowed, one that is denied is enough; what runs later is asked all the same")
    void paths() {
        List<ApprovalRule> rules = List.of(
                new ApprovalRule(Action.ALLOW, "edit_file", "src/**", null),
                new ApprovalRule(Action.DENY, null, "db/**", null),
                new ApprovalRule(Action.ASK, null, "*.lock", null));
        assertThat(write(ApprovalPolicy.ASK, rules, "src/a/b.java")).isInstanceOf(Verdict.Run.class);
        assertThat(write(ApprovalPolicy.ASK, rules, "src/a", "docs/b")).isInstanceOf(Verdict.Ask.class);
        assertThat(write(ApprovalPolicy.AUTO, rules, "src/a", "db/x.sql")).isInstanceOf(Verdict.Refuse.class);
        assertThat(write(ApprovalPolicy.AUTO_EDIT, rules, "deep/yarn.lock")).isInstanceOf(Verdict.Ask.class);
        assertThat(write(
                        ApprovalPolicy.AUTO,
                        List.of(new ApprovalRule(Action.ALLOW, "edit_file", null, null)),
                        ".envrc"))
                .isInstanceOfSatisfying(
                        Verdict.Ask.class, ask -> assertThat(ask.always()).isTrue());
        assertThat(write(ApprovalPolicy.READ_ONLY, rules, "src/a")).isInstanceOf(Verdict.Refuse.class);
    }

    @Test
    @DisplayName("A33: the stricter of two counts, whoever is it")
    void stricter() {
        Verdict run = new Verdict.Run();
        Verdict ask = new Verdict.Ask("x", false);
        Verdict refuse = new Verdict.Refuse("x");
        assertThat(ApprovalRules.stricter(run, ask)).isEqualTo(ask);
        assertThat(ApprovalRules.stricter(refuse, ask)).isEqualTo(refuse);
        assertThat(ApprovalRules.stricter(ask, new Verdict.Ask("y", true))).isEqualTo(new Verdict.Ask("y", true));
    }

    @Test
    @DisplayName("a rule that would allow everything is no rule")
    void empty() {
        assertThatThrownBy(() -> new ApprovalRule(Action.ALLOW, null, null, null))
                .hasMessageContaining("has to name");
    }

    @Test
    @DisplayName("the policy file of the machine: read, missing, and never taken for missing when it cannot be read")
    void file(@TempDir Path workspace) throws Exception {
        assertThat(LocalPolicy.of(workspace)).isEqualTo(LocalPolicy.NONE);
        Path file = Files.createDirectories(workspace.resolve(".gadget")).resolve("policy.json");
        Files.writeString(
                file,
                "{\"approvals\":\"ask\",\"rules\":[{\"action\":\"deny\",\"command\":\"git push *\"}],\"approvalMinutes\":5}");
        LocalPolicy policy = LocalPolicy.of(workspace);
        assertThat(policy.approvals()).isEqualTo(ApprovalPolicy.ASK);
        assertThat(policy.rules()).containsExactly(new ApprovalRule(Action.DENY, null, null, "git push *"));
        assertThat(policy.patience()).hasMinutes(5);
        for (String bad : List.of(
                "{", "{\"aprovals\":\"ask\"}", "{\"approvals\":\"everything\"}", "{\"approvalMinutes\":0}", "[]")) {
            Files.writeString(file, bad);
            assertThatThrownBy(() -> LocalPolicy.of(workspace)).as(bad).hasMessageContaining("policy.json");
        }
    }
}
