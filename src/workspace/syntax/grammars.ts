/** The grammars, as WebAssembly, each loaded when the first file needs it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Language, Parser } from 'web-tree-sitter'
import type { Grammar } from './languages.ts'

/** An installed package may lie in any node_modules above us, so the files are found by name. */
const { resolve } = createRequire(import.meta.url)

let started: Promise<void> | undefined
const languages = new Map<Grammar, Language>()

/** Must have resolved before a grammar is asked for. */
export function startParsers(): Promise<void> {
  started ??= Parser.init()
  return started
}

export function grammarLanguage(grammar: Grammar): Language {
  const loaded = languages.get(grammar)
  if (loaded) return loaded
  const file = resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)
  const language = Language.loadSync(new WebAssembly.Module(readFileSync(file)))
  languages.set(grammar, language)
  return language
}
