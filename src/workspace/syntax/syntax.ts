/** Reads what a syntax tree tells about a file. Files without a grammar, or that do not parse, keep their lines instead. */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { SyntaxFacts } from '../../rules/build/syntax-facts.ts'
import type { TestText } from '../../rules/evidence/changed-tests.ts'
import { startParsers } from './grammars.ts'
import { pythonIdleTests, scriptIdleTests, scriptInvertedTests } from './idle-tests.ts'
import { languageOf } from './languages.ts'
import { pythonFacts } from './python.ts'
import { scriptFacts } from './script.ts'
import { parseSource, type SyntaxNode } from './source-tree.ts'
import {
  pythonEmptyTests,
  pythonTestTexts,
  pythonTestTitles,
  scriptEmptyTests,
  scriptTestTexts,
  scriptTestTitles,
} from './test-titles.ts'

/** In bytes. Beyond it a file is generated or data, and is only told apart. */
export const longestSource = 2 * 1024 * 1024

export class SyntaxReader {
  /** Starts the parser; a grammar is loaded when the first file needs it. */
  static async open(): Promise<SyntaxReader> {
    await startParsers()
    return new SyntaxReader()
  }

  /** Takes any content and does not throw: what cannot be read is not parsed. */
  read(file: string, text: string | Buffer): SyntaxFacts {
    const source = sourceOf(text)
    const { language, grammar } = languageOf(file, source)
    const unparsed = { file, language, parsed: false, symbols: [], imports: [] }
    if (source === undefined) return { ...unparsed, lines: [`sha256 ${hashOf(text)}`] }
    const lines = () => ({ ...unparsed, lines: source.split('\n') })
    if (!grammar) return lines()
    return withinStack<SyntaxFacts>(() => {
      const root = parseSource(grammar, source)
      if (!root) return undefined
      const facts = grammar === 'python' ? pythonFacts(file, root) : scriptFacts(file, root)
      return { file, language, parsed: true, ...facts }
    }, lines)
  }

  /** The titles of the tests in a file, as they are written; none where it does not parse. */
  testTitles(file: string, text: string | Buffer): string[] {
    return inTree(file, text, (root, isPython) => (isPython ? pythonTestTitles(root) : scriptTestTitles(root)))
  }

  /** The tests of a file with their texts; none where it does not parse. */
  testTexts(file: string, text: string | Buffer): TestText[] {
    return inTree(file, text, (root, isPython) => (isPython ? pythonTestTexts(root) : scriptTestTexts(root)))
  }

  /** Those of tests that do nothing at all. */
  emptyTests(file: string, text: string | Buffer): string[] {
    return inTree(file, text, (root, isPython) => (isPython ? pythonEmptyTests(root) : scriptEmptyTests(root)))
  }

  /** Those of tests that check nothing, as far as that can be told. */
  idleTests(file: string, text: string | Buffer): string[] {
    return inTree(file, text, (root, isPython) =>
      isPython ? pythonIdleTests(root, file) : scriptIdleTests(root, file),
    )
  }

  /** Those of tests that pass only if their check fails. */
  invertedTests(file: string, text: string | Buffer): string[] {
    return inTree(file, text, (root, isPython) => (isPython ? [] : scriptInvertedTests(root)))
  }
}

function inTree<Found>(
  file: string,
  text: string | Buffer,
  find: (root: SyntaxNode, isPython: boolean) => Found[],
): Found[] {
  const source = sourceOf(text)
  const { grammar } = languageOf(file, source)
  if (source === undefined || !grammar) return []
  return withinStack(
    () => {
      const root = parseSource(grammar, source)
      return root && find(root, grammar === 'python')
    },
    () => [],
  )
}

/** Nothing for what is not text, or too much of it. */
function sourceOf(text: string | Buffer): string | undefined {
  const size = typeof text === 'string' ? Buffer.byteLength(text) : text.length
  if (size > longestSource) return undefined
  if (typeof text !== 'string' && !isUtf8(text)) return undefined
  const source = text
    .toString()
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
  return source.includes('\0') ? undefined : source
}

/** Code that nests deeper than the stack is no code that anybody wrote. */
function withinStack<Result>(read: () => Result | undefined, otherwise: () => Result): Result {
  try {
    return read() ?? otherwise()
  } catch (error) {
    if (error instanceof RangeError) return otherwise()
    throw error
  }
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
