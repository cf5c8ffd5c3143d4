/** Classifies why a test failed, from its error text. */

export type FailureClass =
  | { outcome: 'assertion' | 'not-implemented' | 'error' | 'failed' }
  | { outcome: 'import-error'; module?: MissingModule }

/** A missing import, as its language reports it. */
export type MissingModule =
  /** The path or package, and the importing file if reported; with `name`, the missing export. */
  | { language: 'javascript'; specifier: string; importer?: string; name?: string }
  /** A name that the module does not export. */
  | { language: 'javascript-name'; name: string }
  /** With `name`: the module exists, but has no such export. */
  | { language: 'python'; module: string; file?: string; name?: string }
  | { language: 'go'; package: string }
  | { language: 'rust'; path: string }

export function classifyFailure(text: string | undefined, asserted = false): FailureClass {
  const said = withoutTrace(text ?? '')
  if (said.trim() === '') return { outcome: asserted ? 'assertion' : 'failed' }
  if (assertionType.test(said)) return { outcome: 'assertion' }
  if (importFailed.test(said)) {
    const module = missingModule(text ?? '')
    return { outcome: 'import-error', ...(module ? { module } : {}) }
  }
  const undefinedName = undefinedImport.exec(said)?.[1]
  if (undefinedName) return { outcome: 'import-error', module: { language: 'javascript-name', name: undefinedName } }
  if (notImplemented.test(said)) return { outcome: 'not-implemented' }
  if (asserted || assertionWords.test(said)) return { outcome: 'assertion' }
  return { outcome: waitedInVain.test(ownWords(said)) ? 'failed' : 'error' }
}

/** pytest prefixes lines with `E `. */
const assertionType =
  /^(?:E +)?(?:[\w$]+[.:])*(?:AssertionError|AssertionFailedError|AssertionFailure|ComparisonFailure|JestAssertionError|MultipleFailuresError|ExpectationFailedException)\b/m

const assertionWords =
  /^(?:\w*Error: )?(?:E +)?(?:expect\(|assert(?:ion)?\b|expected\b|Failed: |Snapshot .* mismatched)|\bassertion (?:failed|`)|DID NOT RAISE/im

const importFailed =
  /ERR_MODULE_NOT_FOUND|\bMODULE_NOT_FOUND|Cannot find (?:module|package)\b|Failed to (?:load url|resolve import)|does not provide an export named|ModuleNotFoundError|ImportError\b|No module named|\bunresolved import\b|file not found for module|no required module provides package|is not in (?:GOROOT|std)\b|cannot find package|error\[E0433\]/

/** In transpiled code a missing export shows as a call of `undefined`. */
const undefinedImport = /\(0 ?, ?(?:[\w$]+\.)?([\w$]+)\) is not a (?:function|constructor)/

const notImplemented =
  /\bnot (?:yet )?implemented\b|\bunimplemented\b|NotImplemented(?:Error|Exception)?\b|Prelude\.undefined/i

/** The error itself: pytest shows the source of the test before it. */
function ownWords(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const marked = lines.filter((line) => /^E\s/.test(line))
  const [first = ''] = marked.length > 0 ? marked : lines
  return /^(?:E\s+)?(?:Type|Syntax|Range|Reference|Name|Key|Attribute)Error\b|\bHook timed out\b/.test(first)
    ? ''
    : first
}

/** A test that waits for what the code does not do yet, such as an event: nobody can tell whose fault it is. */
const waitedInVain =
  /\btimed out\b|\btimeout of \d|\bExceeded timeout\b|\bTimeout(?:Error\b| - Async callback)|Promise resolution is still pending|Promise returned by test never resolved|\bexited without ending\b/i

function withoutTrace(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s+at |^\s*File "|^\s*stack: |^\s*\^+\s*$|^\s+\d+ \||^\s+> \d+ \|/.test(line))
    .join('\n')
}

function missingModule(text: string): MissingModule | undefined {
  for (const find of [javascriptModule, pythonModule, goPackage, rustPath]) {
    const found = find(text)
    if (found) return found
  }
  return undefined
}

const quoted = String.raw`['"]([^'"\n]+)['"]`
const importers = [
  new RegExp(`Cannot find module ${quoted} imported from ['"]?([^'"\\n]+?)['"]?$`, 'm'),
  new RegExp(`Cannot find module ${quoted} from ${quoted}`),
  new RegExp(`Cannot find module ${quoted}[^\\n]*\\nRequire stack:\\n- ([^\\n]+)`),
  new RegExp(`Failed to resolve import ${quoted} from ${quoted}`),
  /Failed to load url (\S+) \(resolved id: [^)]*\) in (.+?)\. Does the file exist/,
  new RegExp(`Cannot find module ${quoted}()`),
]

function javascriptModule(text: string): MissingModule | undefined {
  for (const pattern of importers) {
    const [, specifier, importer] = pattern.exec(text) ?? []
    if (specifier) return { language: 'javascript', specifier, ...(importer ? { importer } : {}) }
  }
  const [, specifier, name] =
    /The requested module ['"]([^'"]+)['"] does not provide an export named ['"]?([\p{L}\p{N}_$]+)/u.exec(text) ?? []
  if (!specifier || !name) return undefined
  // Node prints the importing line below its file's name.
  const importer = /^(?:#\s*)?file:\/\/(\/[^\n]+?):\d+$/m.exec(text)?.[1]
  return { language: 'javascript', specifier, ...(importer ? { importer } : {}), name }
}

function pythonModule(text: string): MissingModule | undefined {
  const named =
    /cannot import name ['"](\w+)['"] from (?:partially initialized module )?['"]([\w.]+)['"](?: \((\/[^)\n]+)\))?/
  const [, name, from, file] = named.exec(text) ?? []
  if (from && name) return { language: 'python', module: from, ...(file ? { file } : {}), name }
  const module = /No module named ['"]([\w.]+)['"]/.exec(text)?.[1]
  return module ? { language: 'python', module } : undefined
}

function goPackage(text: string): MissingModule | undefined {
  const patterns = [
    /no required module provides package ([^\s;:]+)/,
    /package (\S+) is not in/,
    /cannot find package "([^"]+)"/,
  ]
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find(Boolean)
  return found ? { language: 'go', package: found } : undefined
}

function rustPath(text: string): MissingModule | undefined {
  const path = /unresolved import `([\w:]+)`/.exec(text)?.[1] ?? /file not found for module `(\w+)`/.exec(text)?.[1]
  return path ? { language: 'rust', path } : undefined
}
