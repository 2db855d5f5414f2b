// Which language a file is in, by its name; each is loaded when a file of it is opened.
import { type LanguageSupport, StreamLanguage, type StreamParser } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

type Loader = () => Promise<Extension>;

const legacy = async (parser: Promise<StreamParser<unknown>>): Promise<Extension> =>
  StreamLanguage.define(await parser);
const script = async (options: { jsx?: boolean; typescript?: boolean }): Promise<LanguageSupport> =>
  (await import("@codemirror/lang-javascript")).javascript(options);

const css: Loader = async () => (await import("@codemirror/lang-css")).css();
const html: Loader = async () => (await import("@codemirror/lang-html")).html();
const json: Loader = async () => (await import("@codemirror/lang-json")).json();
const xml: Loader = async () => (await import("@codemirror/lang-xml")).xml();
const yaml: Loader = async () => (await import("@codemirror/lang-yaml")).yaml();
const java: Loader = async () => (await import("@codemirror/lang-java")).java();
const python: Loader = async () => (await import("@codemirror/lang-python")).python();
const markdown: Loader = async () => (await import("@codemirror/lang-markdown")).markdown();
const clike = (name: "c" | "cpp" | "csharp" | "kotlin" | "scala"): Loader => {
  return () => legacy(import("@codemirror/legacy-modes/mode/clike").then((modes) => modes[name]));
};
const shell: Loader = () => legacy(import("@codemirror/legacy-modes/mode/shell").then((mode) => mode.shell));
const docker: Loader = () =>
  legacy(import("@codemirror/legacy-modes/mode/dockerfile").then((mode) => mode.dockerFile));
const properties: Loader = () =>
  legacy(import("@codemirror/legacy-modes/mode/properties").then((mode) => mode.properties));

const BY_ENDING: Record<string, Loader> = {
  js: () => script({ jsx: true }),
  mjs: () => script({}),
  cjs: () => script({}),
  jsx: () => script({ jsx: true }),
  ts: () => script({ typescript: true }),
  mts: () => script({ typescript: true }),
  tsx: () => script({ typescript: true, jsx: true }),
  css,
  scss: css,
  html,
  htm: html,
  vue: html,
  json,
  jsonc: json,
  xml,
  svg: xml,
  pom: xml,
  yaml,
  yml: yaml,
  java,
  kt: clike("kotlin"),
  kts: clike("kotlin"),
  scala: clike("scala"),
  c: clike("c"),
  h: clike("c"),
  cc: clike("cpp"),
  cpp: clike("cpp"),
  hpp: clike("cpp"),
  cs: clike("csharp"),
  py: python,
  md: markdown,
  sh: shell,
  bash: shell,
  zsh: shell,
  go: () => legacy(import("@codemirror/legacy-modes/mode/go").then((mode) => mode.go)),
  rs: () => legacy(import("@codemirror/legacy-modes/mode/rust").then((mode) => mode.rust)),
  rb: () => legacy(import("@codemirror/legacy-modes/mode/ruby").then((mode) => mode.ruby)),
  sql: () => legacy(import("@codemirror/legacy-modes/mode/sql").then((mode) => mode.standardSQL)),
  toml: () => legacy(import("@codemirror/legacy-modes/mode/toml").then((mode) => mode.toml)),
  properties,
  ini: properties,
  conf: properties,
};

/** The language of a file, or none that is known. */
export async function languageOf(path: string): Promise<Extension> {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (name === "dockerfile" || name === "containerfile") return docker();
  const load = BY_ENDING[name.slice(name.lastIndexOf(".") + 1)];
  return name.includes(".") && load ? load() : [];
}
