/** Finds code that changes the test library that judges it. SPEC.md § TR7. */

/** Why this non-test code may not be accepted; each reason once. */
export function testLibraryProblems(path: string, text: string): string[] {
  const found = isScript(path) ? scriptProblems(text) : path.endsWith('.py') ? pythonProblems(text) : []
  return [...new Set([...found, ...looksForRunner(path, text)])]
}

const runnerMarks = new RegExp(
  [
    String.raw`\b(?:VITEST(?:_WORKER_ID|_POOL_ID|_MODE)?|JEST_WORKER_ID|NODE_TEST_CONTEXT|MOCHA_WORKER_ID|TAP_CHILD_ID|PYTEST_CURRENT_TEST|PYTEST_VERSION)\b`,
    String.raw`(?<!\.)\btypeof\s+(?:jest|vi|describe|beforeEach)\s*[!=]==?`,
    String.raw`\bnpm_lifecycle_event\b['"\]]*\s*[!=]==?\s*['"]test`,
    String.raw`\bexecArgv\b[^\n;]*['"]--test\b`,
    String.raw`['"](?:_?pytest|unittest|nose2?)['"]\s+(?:not\s+)?in\s+sys\.modules`,
    String.raw`\bsys\.modules\.get\(\s*['"](?:_?pytest|unittest|nose2?)['"]`,
    String.raw`['"]?(?:pytest|unittest)['"]?\s+in\s+sys\.argv\b`,
  ].join('|'),
)

/** Settings of tools may ask, as Svelte's and Knex's do: they are no code under test. */
const toolSettings = /(?:^|\/)(?:[\w.-]+\.config|knexfile)\.[cm]?[jt]s$/

/** Code that asks whether it is being tested can do one thing in its tests and another elsewhere. */
function looksForRunner(path: string, text: string): string[] {
  if (toolSettings.test(path)) return []
  if (!isScript(path) && !path.endsWith('.py')) return []
  const mark = runnerMarks.exec(path.endsWith('.py') ? text.replace(/#[^\n]*/g, '') : withoutComments(text))?.[0]
  return mark
    ? [`it asks whether a test runner runs it (${mark}): code must do the same in its tests and elsewhere`]
    : []
}

const reportMarks = /\bCONVENE_(?:REPORTS|REPORT_FILE|RUNNER|PART|STATUS|CHECKERS|NODE_OPTIONS)\b|\bconvene-report\b/

/** Code that finds the runner's report can write that a test passed; no file may name it, tests included. */
export function namesReport(path: string, text: string): string[] {
  const code = path.endsWith('.py') ? text.replace(/#[^\n]*/g, '') : isScript(path) ? withoutComments(text) : text
  const mark = reportMarks.exec(code)?.[0]
  return mark ? [`it names the report that Convene reads test results from (${mark}), which is the runner's alone`] : []
}

/** Equality or a matcher that holds for everything; no file may have one, tests included. */
export function alwaysEqual(path: string, text: string): string[] {
  if (path.endsWith('.py')) {
    const eq =
      /def\s+__eq__\s*\([^)]*\)[^:]*:\s*(?:(?:#[^\n]*|"""[\s\S]*?"""|'[^'\n]*'|"[^"\n]*")\s*)*return\s+(?:True|1|not\s+False)\b\s*(?:#[^\n]*)?(?:\n|$)/
    const lambda = /__eq__\s*=\s*lambda[^:\n]*:\s*True\b/
    const ne = /def\s+__ne__\s*\([^)]*\)[^:]*:\s*return\s+False\b/
    return [eq, lambda, ne].some((pattern) => pattern.test(text))
      ? ['__eq__ is always true, so every comparison holds']
      : []
  }
  if (!isScript(path)) return []
  const body = withoutComments(text)
  const match =
    /\basymmetricMatch\s*(?:=\s*)?(?::\s*)?(?:function\s*)?\(?[^)\n{]*\)?[^={\n]*(?:=>\s*)?(?:\{\s*return\s+)?(?:true|!0|!!1)\b/
  const passes = [...body.matchAll(/\bpass\s*:\s*([^,}\n]+)/g)].map(([, value = '']) => value.trim())
  return [
    ...(match.test(body) ? ['asymmetricMatch is always true, so every comparison holds'] : []),
    ...(/\bextend\s*\(/.test(body) && passes.length > 0 && passes.every((value) => /^(?:true|!0)$/.test(value))
      ? ['a matcher always passes']
      : []),
  ]
}

const isScript = (path: string) => /\.[cm]?[jt]sx?$/.test(path)

const scriptLibraries =
  /^(?:(?:node:)?(?:assert(?:\/strict)?|test(?:\/reporters)?)|vitest(?:\/.*)?|@vitest\/.*|jest(?:-.*)?|@jest\/.*|expect|chai|mocha|ava|tap|tape|uvu(?:\/.*)?|jasmine(?:-core)?|should|must|power-assert|@playwright\/test|bun:test|@std\/assert.*|@japa\/.*)$/

function scriptProblems(source: string): string[] {
  const text = withoutComments(source)
  const bindings = withAliases(text, scriptBindings(text))
  const problems: string[] = []
  const changes = (why: string) => problems.push(`${why}: code may call the test library, never change it`)
  for (const { name, library } of bindings) {
    const one = escaped(name)
    const patterns = [
      new RegExp(`(?<![\\w$.])${one}(?:\\??\\.[\\w$]+|\\[[^\\]\\n]+\\])+\\s*(?:=(?![=>])|\\+=|\\?\\?=|\\|\\|=|&&=)`),
      new RegExp(
        `\\b(?:Object|Reflect)\\.(?:assign|defineProperty|defineProperties|setPrototypeOf|set|deleteProperty)\\(\\s*${one}(?![\\w$])`,
      ),
      new RegExp(`\\bdelete\\s+${one}(?:\\.|\\[)`),
      new RegExp(`\\.(?:method|spyOn|stub|replace|replaceProperty|getter|setter|doMock|mock)\\(\\s*${one}(?![\\w$])`),
      new RegExp(`(?<![\\w$.])${one}\\.(?:extend|addEqualityTesters|addSnapshotSerializer|setState)\\s*\\(`),
      new RegExp(`(?<![\\w$.])${one}\\.use\\s*\\(`),
    ]
    if (patterns.some((pattern) => pattern.test(text))) changes(`it changes ${library}`)
    if (new RegExp(`(?<![\\w$.])${one}\\.(?:anything|any)\\s*\\(`).test(text))
      changes(`it uses a matcher of ${library} as a value`)
  }
  const loaded =
    /\(\s*['"](?:node:)?(?:assert(?:\/strict)?|test|vitest|chai|expect)['"]\s*\)\s*\)?(?:\.default)?\.[\w$]+\s*=(?!=)/
  if (loaded.test(text)) changes('it changes a test library that it loads')
  if (
    /\b(?:globalThis|global|window|self)\s*(?:\.|\[\s*['"])\s*(?:expect|assert|describe|it|test|suite|beforeEach|afterEach)\b['"\]]*\s*=(?!=)/.test(
      text,
    )
  )
    changes('it replaces a global of the test library')
  if (/(?<![\w$.])Object\.is\s*=(?!=)|defineProperty\(\s*Object\s*,\s*['"]is['"]/.test(text))
    changes('it replaces Object.is')
  if (
    /\b(?:Module\._load|Module\._resolveFilename|Module\.prototype\.require|require\.cache\s*\[[^\]]+\])\s*=(?!=)/.test(
      text,
    )
  )
    changes('it changes how modules are loaded')
  return problems
}

interface Binding {
  name: string
  library: string
}

function scriptBindings(text: string): Binding[] {
  const found: Binding[] = []
  const take = (clause: string, library: string) => {
    if (!scriptLibraries.test(library)) return
    for (const part of clause.replace(/\btype\b/g, '').split(/[{},]/)) {
      const name = /(?:\bas\s+|:\s*|^\s*|\*\s*as\s+)([\w$]+)\s*$/.exec(part.trim())?.[1]
      if (name) found.push({ name, library })
    }
  }
  for (const [, clause = '', library = ''] of text.matchAll(/\bimport\s+([^'"()]+?)\s+from\s*['"]([^'"]+)['"]/g))
    take(clause, library)
  const loads =
    /\b(?:const|let|var)\s+([\w$]+|\{[^}]*\})\s*=\s*(?:\(?\s*await\s+)?(?:[\w$.]+)\(\s*['"]([^'"]+)['"]\s*\)/g
  for (const [, clause = '', library = ''] of text.matchAll(loads)) take(clause, library)
  return found
}

/** Names that stand for a binding: `const a = assert`. */
function withAliases(text: string, bindings: Binding[]): Binding[] {
  const all = [...bindings]
  for (let index = 0; index < all.length && all.length < 200; index++) {
    const { name, library } = all[index]!
    const alias = new RegExp(
      `\\b(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*${escaped(name)}(?:\\.[\\w$]+)*\\s*(?:[;,\\n]|$)`,
      'g',
    )
    for (const [, other = ''] of text.matchAll(alias))
      if (!all.some((known) => known.name === other)) all.push({ name: other, library })
  }
  return all
}

const pythonLibraries =
  /^(?:unittest|pytest|_pytest|pluggy|nose2?|doctest|hypothesis|testtools|hamcrest|assertpy)(?:\.|$)/

function pythonProblems(source: string): string[] {
  const text = source.replace(/#[^\n]*/g, '')
  const problems: string[] = []
  const changes = (why: string) => problems.push(`${why}: code may call the test library, never change it`)
  const names: Binding[] = []
  for (const [, library = '', list = ''] of text.matchAll(/^\s*from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]+)/gm)) {
    if (!pythonLibraries.test(library)) continue
    for (const part of list.replace(/[()]/g, '').split(',')) {
      const [, first = '', alias] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? []
      if (first === 'ANY' && library.startsWith('unittest')) changes('it uses a matcher of unittest.mock as a value')
      if (first) names.push({ name: alias ?? first, library })
    }
    if (/^_pytest|^pluggy/.test(library)) changes(`it imports ${library}, which is private to the test runner`)
  }
  for (const [, list = ''] of text.matchAll(/^\s*import\s+([^\n]+)/gm)) {
    for (const part of list.split(',')) {
      const [, library = '', alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? []
      if (!pythonLibraries.test(library)) continue
      names.push({ name: alias ?? library.split('.')[0]!, library })
      if (/^_pytest|^pluggy/.test(library)) changes(`it imports ${library}, which is private to the test runner`)
    }
  }
  for (const [, name = '', library = ''] of text.matchAll(
    /(\w+)\s*=\s*(?:importlib\.import_module|__import__)\(\s*['"]([\w.]+)['"]/g,
  ))
    if (pythonLibraries.test(library)) names.push({ name, library })
  for (const { name, library } of names) {
    const one = escaped(name)
    const patterns = [
      new RegExp(`^\\s*${one}(?:\\.\\w+)+\\s*(?:\\+)?=(?!=)`, 'm'),
      new RegExp(`\\b(?:setattr|delattr)\\(\\s*${one}\\b`),
      new RegExp(`\\bdel\\s+${one}\\.`),
      new RegExp(`\\bpatch(?:\\.object)?\\(\\s*['"]?${one}\\b`),
    ]
    if (patterns.some((pattern) => pattern.test(text))) changes(`it changes ${library}`)
    if (new RegExp(`\\b${one}(?:\\.mock)?\\.ANY\\b`).test(text))
      changes('it uses a matcher of unittest.mock as a value')
  }
  if (/\bsys\.modules\s*\[\s*['"](?:unittest|pytest|_pytest)/.test(text))
    changes('it replaces a module of the test library')
  if (/\bbuiltins\.(?:AssertionError|isinstance|all|any|len)\s*=(?!=)|setattr\(\s*builtins\b/.test(text))
    changes('it replaces a builtin')
  return problems
}

const escaped = (name: string) => name.replace(/[$]/g, '\\$&')

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1')
}
