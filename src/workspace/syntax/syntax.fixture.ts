/** Reads small texts for tests. */
import type { SymbolFacts, SyntaxFacts } from '../../rules/build/syntax-facts.ts'
import { SyntaxReader } from './syntax.ts'

export const reader = await SyntaxReader.open()

export function typescript(text: string, file = 'a.ts'): SyntaxFacts {
  return reader.read(file, text)
}

export function python(text: string, file = 'a.py'): SyntaxFacts {
  return reader.read(file, text)
}

export function find(facts: SyntaxFacts, name: string): SymbolFacts {
  const found = facts.symbols.find((symbol) => symbol.name === name)
  if (!found) throw new Error(`no ${name} among ${facts.symbols.map((symbol) => symbol.name).join(', ')}`)
  return found
}

export function bodyOf(facts: SyntaxFacts, name: string): string {
  return find(facts, name).bodyTokens.join(' ')
}

export function signatures(facts: SyntaxFacts): Record<string, string> {
  return Object.fromEntries(facts.symbols.map(({ name, signature }) => [name, signature]))
}

export function exportedNames(facts: SyntaxFacts): string[] {
  return facts.symbols.filter(({ exported }) => exported).map(({ name }) => name)
}

/** `kind name`, without the symbols that stand for parameters. */
export function kinds(facts: SyntaxFacts): string[] {
  return facts.symbols.filter(({ name }) => !name.endsWith('<parameters>')).map(({ kind, name }) => `${kind} ${name}`)
}
