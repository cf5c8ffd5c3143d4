/** Syntax facts for tests, made from small texts by a tokenizer that knows only words, numbers, strings and signs. */
import type { ImportFacts, SymbolFacts, SyntaxFacts } from './syntax-facts.ts'

const keywords = new Set(['return', 'if', 'else', 'throw', 'new', 'raise', 'pass', 'void', 'const'])

export function symbol(name: string, body = '', more: Partial<SymbolFacts> = {}): SymbolFacts {
  const bodyTokens = body.match(/[\p{L}_$][\w$]*|\d+|'[^']*'|"[^"]*"|\.\.\.|\S/gu) ?? []
  const identifiers = bodyTokens.flatMap((token, index) => (isIdentifier(token) ? [index] : []))
  const base = {
    name,
    kind: 'function',
    exported: true,
    signature: `${name}()`,
    bodyHash: bodyTokens.join(' '),
  } as const
  return { ...base, bodyTokens, identifiers, ...more }
}

export function file(path: string, symbols: SymbolFacts[] = [], more: Partial<SyntaxFacts> = {}): SyntaxFacts {
  return { file: path, language: 'typescript', parsed: true, symbols, imports: [], ...more }
}

export function textFile(path: string, text: string, language: string | null = 'shell'): SyntaxFacts {
  return { file: path, language, parsed: false, symbols: [], imports: [], lines: text.split('\n') }
}

export function imports(...modules: string[]): ImportFacts[] {
  return modules.map((module) => ({ module, names: [] }))
}

function isIdentifier(token: string): boolean {
  return /^[\p{L}_$]/u.test(token) && !keywords.has(token)
}
