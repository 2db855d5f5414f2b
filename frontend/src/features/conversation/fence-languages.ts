// Which words after ``` name a language that can be coloured, as the ending that its files have.
const ENDINGS: Readonly<Record<string, string>> = {
  javascript: "js",
  typescript: "ts",
  htm: "html",
  json5: "jsonc",
  kotlin: "kt",
  "c++": "cpp",
  "c#": "cs",
  csharp: "cs",
  python: "py",
  python3: "py",
  markdown: "md",
  shell: "sh",
  console: "sh",
  golang: "go",
  rust: "rs",
  ruby: "rb",
  dockerfile: "dockerfile",
  docker: "dockerfile",
  containerfile: "dockerfile",
};
const SAME = new Set(
  "js mjs cjs jsx ts mts tsx css scss html vue json jsonc xml svg yaml yml java kt kts scala c h cc cpp hpp cs py md sh bash zsh go rs rb sql toml properties ini conf".split(
    " ",
  ),
);

/** The ending of files in the language that a fence names; null when it is none that is known here. */
export function endingOf(language: string): string | null {
  const name = language.toLowerCase();
  if (SAME.has(name)) return name;
  return Object.hasOwn(ENDINGS, name) ? (ENDINGS[name] ?? null) : null;
}

/** Every name that is known here. */
export const FENCE_LANGUAGES: readonly string[] = [...SAME, ...Object.keys(ENDINGS)];
