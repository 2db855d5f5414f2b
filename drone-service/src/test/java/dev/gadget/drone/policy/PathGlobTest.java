package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A pattern of paths")
class PathGlobTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "a a true",
                "a b false",
                "a aa false",
                "*.java Main.java true",
                "*.java src/Main.java false",
                "**/*.java Main.java true",
                "**/*.java src/deep/Main.java true",
                "**/**/*.java src/Main.java true",
                "src/**/x src/x true",
                "src/**/x src/a/b/x true",
                "src/**/x srcx false",
                "src/**/x src/ax false",
                "db/** db/a/b true",
                "db/** db false",
                "a**b a/x/b true",
                "a?c abc true",
                "a?c a/c false",
                "a?c a😀c true",
                "[a-c]x bx true",
                "[a-c]x dx false",
                "[!a-c]x dx true",
                "[^a-c]x ax false",
                "[!a]x /x false",
                "[a-]x -x true",
                "[.]x .x true",
                "[x x false",
                "[x [x true",
                "*.{ts,tsx} a.tsx true",
                "*.{ts,tsx} a.t false",
                "{a,b{c,d}}e bde true",
                "{a,b{c,d}}e be false",
                "{,a}b b true",
                "{*,x/*}y x/y true",
                "{a,b b true",
                "a}b a}b true",
                "a,b a,b true",
                "\\*a *a true",
                "\\*a xa false",
                "a.b axb false"
            })
    @DisplayName("matches whole paths as git and editors do")
    void matches(String glob, String path, boolean expected) {
        assertThat(PathGlob.of(glob).matches(path)).isEqualTo(expected);
    }

    @Test
    @DisplayName("that ends a range before it begins is none")
    void broken() {
        assertThatThrownBy(() -> PathGlob.of("[z-a]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[z-a]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*a*a*a*a*a*a*a*a*a*a*a*a*b",
                "**/a/**/a/**/a/**/b",
                "{a,aa,aaa}*{a,aa}*{a,aa}*b",
                "**a**a**a**a**b"
            })
    @Timeout(30)
    @DisplayName("takes no longer than both lengths multiplied, whatever it is")
    void linear(String glob) {
        String path = "a/".repeat(100) + "a".repeat(4000);
        assertThat(PathGlob.of(glob.repeat(15)).matches(path)).isFalse();
        assertThat(PathGlob.of(glob).matches(path.replace("/", ""))).isFalse();
    }
}
