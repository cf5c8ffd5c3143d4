/** The files and identifiers that a goal names. SPEC.md § RK4. */

const knownEndings = new Set(
  'js jsx mjs cjs ts tsx mts cts py pyi go rs java kt rb php cs c h cc cpp hpp swift hs ex exs sql css scss html vue svelte md mdx rst txt json yaml yml toml sh xml ini cfg'.split(
    ' ',
  ),
)

/** Paths such as `src/read.js` or `README.md`; not addresses, versions, abbreviations or properties (`queue.size`). */
export function filesNamed(goal: string): string[] {
  const found = goal.match(/(?<![\w@/:.-])(?:[\w@.-]+\/)*[\w-][\w.-]*\.[a-z][a-z0-9]{0,4}(?![\w/(])/g) ?? []
  return [...new Set(found.filter((path) => path.includes('/') || isFileName(path)))]
}

function isFileName(name: string): boolean {
  return knownEndings.has(name.split('.').at(-1)!) && !/^(node|vue|next|react|three|d3)\.js$/i.test(name)
}

/** A test or a document that belongs to a change of code. */
export function isAside(path: string): boolean {
  return /(?:^|[/._-])(?:tests?|spec|__tests__)[/._-]|\.(?:mdx?|rst|txt)$/i.test(path)
}

const brands = new Set(
  'javascript typescript github gitlab graphql postgresql mysql sqlite mongodb oauth macos ios youtube nodejs'.split(
    ' ',
  ),
)

/** Of languages and their runtimes: no project has to be changed for them. */
const builtIn = new Set(
  `Set Map WeakSet WeakMap Array Object String Number Boolean Symbol BigInt Date RegExp Promise Proxy Function Buffer Iterator
  Generator Error TypeError RangeError SyntaxError ReferenceError URIError EvalError AggregateError AbortError DOMException
  AbortSignal AbortController URL URLSearchParams FormData ArrayBuffer DataView Uint8Array Float64Array TextEncoder TextDecoder
  EventTarget EventEmitter ReadableStream WritableStream TransformStream NaN undefined null true false this
  Exception ValueError KeyError IndexError AttributeError RuntimeError OSError IOError EOFError FileNotFoundError
  UnicodeDecodeError UnicodeEncodeError StopIteration ZeroDivisionError NotImplementedError PermissionError TimeoutError
  ImportError IllegalArgumentException IllegalStateException NullPointerException IOException None True False
  dict list tuple int float str bytes bool frozenset any string number boolean object unknown never`.split(/\s+/),
)

/** Identifiers of the project: in backticks, called with brackets, or with a capital or an underscore inside. */
export function symbolsNamed(goal: string, files: readonly string[]): string[] {
  const text = files.reduce((rest, file) => rest.replaceAll(file, ' '), goal)
  const quoted = [...text.matchAll(/`([A-Za-z_$][\w$.#]*)(?:\([^`]*\))?`/g)].map(([, name]) => name!)
  const called = [...text.matchAll(/(?<![\w$.])([A-Za-z_$][\w$.]*)\(/g)].map(([, name]) => name!)
  const shaped =
    text.match(/(?<![\w$./`-])(?:[a-z$][a-z0-9$]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[a-z]\w*_\w+)(?![\w/.-])/g) ?? []
  return [...new Set([...quoted, ...called, ...shaped])].filter(
    (name) => !brands.has(name.toLowerCase()) && !builtIn.has(name),
  )
}

/** The identifiers that a goal names. */
export function namesInGoal(goal: string): string[] {
  return symbolsNamed(goal, filesNamed(goal))
}
