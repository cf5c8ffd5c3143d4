/** Detects a file's language, from its name or first line, and its grammar. */

export type Grammar = 'typescript' | 'tsx' | 'javascript' | 'python'

export interface FileLanguage {
  /** `null`: prose, data or configuration. */
  language: string | null
  grammar?: Grammar
}

const parsed: readonly [extensions: string, grammar: Grammar, language: string][] = [
  ['ts mts cts', 'typescript', 'typescript'],
  ['tsx', 'tsx', 'typescript'],
  ['js mjs cjs jsx', 'javascript', 'javascript'],
  ['py pyi', 'python', 'python'],
]

const unparsed: Readonly<Record<string, string>> = {
  astro: 'astro',
  c: 'c h',
  clojure: 'clj cljs cljc',
  cmake: 'cmake',
  cpp: 'cc cpp cxx hh hpp hxx',
  crystal: 'cr',
  csharp: 'cs',
  css: 'css scss sass less',
  dart: 'dart',
  docker: 'dockerfile',
  elixir: 'ex exs',
  elm: 'elm',
  erlang: 'erl hrl',
  fsharp: 'fs fsx',
  go: 'go',
  graphql: 'graphql gql',
  groovy: 'groovy gradle',
  haskell: 'hs lhs',
  html: 'html htm',
  java: 'java',
  julia: 'jl',
  kotlin: 'kt kts',
  lua: 'lua',
  make: 'mk',
  nim: 'nim',
  nix: 'nix',
  objectivec: 'm mm',
  ocaml: 'ml mli',
  perl: 'pl pm',
  php: 'php',
  powershell: 'ps1 psm1',
  protobuf: 'proto',
  r: 'r',
  ruby: 'rb rake gemspec',
  rust: 'rs',
  scala: 'scala sc',
  shell: 'sh bash zsh fish ksh bats',
  solidity: 'sol',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  terraform: 'tf',
  vue: 'vue',
  wasm: 'wat',
  zig: 'zig',
}

const byExtension = new Map<string, FileLanguage>([
  ...Object.entries(unparsed).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension): [string, FileLanguage] => [extension, { language }]),
  ),
  ...parsed.flatMap(([extensions, grammar, language]) =>
    extensions.split(' ').map((extension): [string, FileLanguage] => [extension, { language, grammar }]),
  ),
])

const byName = new Map<string, FileLanguage>([
  ['dockerfile', { language: 'docker' }],
  ['containerfile', { language: 'docker' }],
  ['makefile', { language: 'make' }],
  ['gnumakefile', { language: 'make' }],
  ['cmakelists.txt', { language: 'cmake' }],
  ['gemfile', { language: 'ruby' }],
  ['rakefile', { language: 'ruby' }],
  ['jenkinsfile', { language: 'groovy' }],
])

const byInterpreter: readonly [RegExp, string][] = [
  [/\b(node|bun)\b/, 'js'],
  [/\b(deno|tsx|ts-node)\b/, 'ts'],
  [/\bpython[\d.]*\b/, 'py'],
  [/\bruby\b/, 'rb'],
  [/\bperl\b/, 'pl'],
  [/\bphp\b/, 'php'],
  [/\b(ba|z|k|da|fi)?sh\b/, 'sh'],
]

export function languageOf(file: string, text = ''): FileLanguage {
  const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase()
  const named = byName.get(name)
  if (named) return named
  const dot = name.lastIndexOf('.')
  if (dot > 0) return byExtension.get(name.slice(dot + 1)) ?? { language: null }
  return scriptLanguage(text)
}

/** A declaration file says what exists and holds no code of its own. */
export function isDeclarationFile(file: string): boolean {
  return /\.d\.(\w+\.)?[mc]?ts$/i.test(file)
}

function scriptLanguage(text: string): FileLanguage {
  const interpreter = /^#!([^\n]{1,200})/.exec(text)?.[1]
  const extension = interpreter && byInterpreter.find(([pattern]) => pattern.test(interpreter))?.[1]
  return (extension && byExtension.get(extension)) || { language: null }
}
