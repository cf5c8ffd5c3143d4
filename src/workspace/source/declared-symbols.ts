/** What a file declares for others: from its syntax tree, or from its lines for languages without a grammar. */
import type { SourceSymbol } from '../../kernel/project-source.ts'
import type { SyntaxFacts } from '../../rules/build/syntax-facts.ts'
import { declaringLines } from './declaring-line.ts'

const longestSignature = 200
const maxSymbols = 200

export function declaredSymbols(facts: SyntaxFacts, text: string): SourceSymbol[] {
  const lines = text.split('\n')
  if (facts.parsed) {
    const symbols = facts.symbols.filter(({ exported, kind }) => exported && kind !== 'module').slice(0, maxSymbols)
    const found = declaringLines(symbols, lines, facts.language === 'python')
    return symbols.map(({ name, kind, signature }, index) => {
      const line = found[index]
      const named = line === undefined ? signature : withParameterNames(signature, lines[line - 1]!)
      return { name, kind, signature: cut(named), ...(line === undefined ? {} : { line }) }
    })
  }
  const patterns = declarations[facts.language ?? '']
  if (!patterns) return []
  return lines
    .flatMap((line, index): SourceSymbol[] => {
      for (const [kind, pattern] of patterns) {
        const name = pattern.exec(line)?.[1]
        if (name) return [{ name, kind, signature: cut(plainLine(line)), line: index + 1 }]
      }
      return []
    })
    .slice(0, maxSymbols)
}

/** A declaration without its body. */
function plainLine(line: string): string {
  return line
    .trim()
    .replace(/^export\s+(?:default\s+)?(?:declare\s+)?/, '')
    .replace(/^(?:module\.)?exports\.([\w$]+)\s*=.*/, '$1')
    .replace(/^((?:const|let|var|type)\s+[\w$]+).*/, '$1')
    .replace(/^(?:async\s+)?(?:const|let|var|function\*?)\s+/, '')
    .replace(/\s*[{:;=(]*\s*$/, '')
}

/** Positions without a type are `_` in a signature; their names say more to a reader. */
function withParameterNames(signature: string, line: string): string {
  if (!/\(_[,)?]/.test(signature)) return signature
  const written = /\(([^()]*)\)/.exec(line)?.[1] ?? /\b(\w+)\s*=>/.exec(line)?.[1]
  return written === undefined ? signature : signature.replace(/\([^()]*\)/, () => `(${written.trim()})`)
}

function cut(signature: string): string {
  const line = signature.replace(/\s+/g, ' ').replaceAll(' []', '[]')
  return line.length <= longestSignature ? line : `${line.slice(0, longestSignature)}…`.toWellFormed()
}

type Declaration = [kind: string, pattern: RegExp]

const jvm: Declaration[] = [
  [
    'class',
    /^\s*(?:public |open |abstract |final |sealed |data |static )*(?:class|interface|enum|record|object)\s+(\w+)/,
  ],
  [
    'method',
    /^\s+public (?:static |final |abstract |synchronized |override |async |virtual )*[\w<>[\], ?.]+\s+(\w+)\s*\(/,
  ],
  ['function', /^(?:public |internal )?(?:suspend |inline )*fun\s+(?:<[^>]+>\s*)?(?:[\w.]+\.)?(\w+)/],
]

/** For files that do not parse, or were not parsed for lack of time. */
const script: Declaration[] = [
  [
    'export',
    /^export\s+(?:default\s+)?(?:abstract\s+|async\s+|declare\s+)*(?:function\*?|class|const|let|var|type|interface|enum)\s+([\w$]+)/,
  ],
  ['class', /^class\s+([\w$]+)/],
  ['export', /^(?:module\.)?exports\.([\w$]+)\s*=/],
]

const declarations: Readonly<Record<string, Declaration[]>> = {
  typescript: script,
  javascript: script,
  python: [
    ['function', /^(?:async\s+)?def\s+([a-z]\w*)/],
    ['class', /^class\s+(\w+)/],
  ],
  go: [
    ['method', /^func\s+\([^)]*\)\s+([A-Z]\w*)/],
    ['function', /^func\s+([A-Z]\w*|main)\b/],
    ['type', /^type\s+([A-Z]\w*)/],
    ['constant', /^(?:var|const)\s+([A-Z]\w*)/],
  ],
  rust: [
    ['function', /^\s*pub(?:\([^)]*\))?\s+(?:const |async |unsafe |extern "[^"]*" )*fn\s+(\w+)/],
    ['type', /^\s*pub(?:\([^)]*\))?\s+(?:struct|enum|trait|type|union)\s+(\w+)/],
    ['constant', /^\s*pub(?:\([^)]*\))?\s+(?:const|static|mod)\s+(\w+)/],
    ['macro', /^\s*macro_rules!\s+(\w+)/],
  ],
  java: jvm,
  kotlin: jvm,
  csharp: jvm,
  scala: [
    ['class', /^\s*(?:case |abstract |sealed |final )*(?:class|object|trait)\s+(\w+)/],
    ['function', /^\s{0,2}def\s+(\w+)/],
  ],
  ruby: [
    ['class', /^\s*(?:class|module)\s+([A-Z][\w:]*)/],
    ['method', /^\s*def\s+(?:self\.)?(\w+[?!]?)/],
  ],
  php: [
    ['class', /^\s*(?:abstract |final )*(?:class|interface|trait|enum)\s+(\w+)/],
    ['function', /^\s*(?:public |static )*function\s+(\w+)/],
  ],
  swift: [
    ['type', /^\s*(?:public |open )(?:final )?(?:class|struct|enum|protocol|actor)\s+(\w+)/],
    ['function', /^\s*(?:public |open )(?:static )?func\s+(\w+)/],
  ],
  elixir: [
    ['module', /^\s*defmodule\s+([\w.]+)/],
    ['function', /^\s*def\s+(\w+[?!]?)/],
  ],
  haskell: [
    ['type', /^(?:data|newtype|type|class)\s+([A-Z]\w*)/],
    ['function', /^([a-z]\w*)\s*::/],
  ],
  c: [
    ['function', /^(?!static)[A-Za-z_][\w\s*]*\s\*?(\w+)\s*\([^;]*$/],
    ['type', /^(?:typedef\s+)?(?:struct|enum|union)\s+(\w+)\s*\{/],
  ],
  cpp: [['type', /^\s*(?:class|struct|enum(?: class)?|namespace)\s+(\w+)[^;]*$/]],
  lua: [['function', /^(?:local )?function\s+([\w.:]+)/]],
  shell: [['function', /^(?:function\s+)?([\w-]+)\s*\(\)\s*\{/]],
}
