/** Tests that check nothing: they only call the code, or compare what is written out with itself. */
import { posix } from 'node:path'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { pythonImports } from './python-imports.ts'
import { importedNames, requiredNames } from './script-imports.ts'
import { descendants, fieldOf, namedChildren, type SyntaxNode } from './source-tree.ts'
import { pythonTests, scriptTests } from './test-titles.ts'

/** Only what can be told is named: a call of something unknown may check. */
export function scriptIdleTests(program: SyntaxNode, file: string): string[] {
  const silent = new Set([...scriptGlobals, ...scriptCode(program, file)])
  const helpers = scriptHelpers(program)
  const idle = scriptTests(program).filter(({ title, more }) => {
    const test = more.at(-1)
    if (test === undefined || !/function|arrow/.test(test.type)) return false
    return !scriptChecks(test, silent, helpers) && !(mustNotThrow.test(title) && callsAny(test, silent))
  })
  return [...new Set(idle.map(({ title }) => title))]
}

/** A test of that only has to call the code. */
const mustNotThrow = /\b(?:does not|doesn['’]t|do not|don['’]t|never|without|no) (?:throw|crash|fail|error|panic)/i

function callsAny(test: SyntaxNode, code: ReadonlySet<string>): boolean {
  return [...descendants(test)].some((node) => {
    const root = node.type === 'call_expression' || node.type === 'new_expression' ? rootOf(node) : undefined
    return root !== undefined && code.has(root) && !scriptGlobals.includes(root)
  })
}

const rootOf = (node: SyntaxNode) =>
  node.type === 'new_expression' ? fieldOf(node, 'constructor')?.text : chainOf(node).root

/** Tests that pass only if they fail: `it.fails`, `test.failing`. */
export function scriptInvertedTests(program: SyntaxNode): string[] {
  const inverted = scriptTests(program).filter(({ callee }) =>
    chainOf(callee).words.some((word) => /^fail(?:s|ing)$/.test(word)),
  )
  return [...new Set(inverted.map(({ title }) => title))]
}

export function pythonIdleTests(module: SyntaxNode, file: string): string[] {
  const silent = new Set([...pythonBuiltins, ...pythonCode(module, file)])
  const functions = [...descendants(module)].filter(({ type }) => type === 'function_definition')
  const helpers = new Map(functions.map((node) => [fieldOf(node, 'name')?.text ?? '', fieldOf(node, 'body') ?? null]))
  const idle = pythonTests(module).filter(({ body }) => !pythonChecks(body, silent, helpers))
  return [...new Set(idle.map(({ name }) => name))]
}

const asserting =
  /^(?:assert|expect|should|chai|tap$|t$|ok$|equal|strictEqual|deep|not|throws|rejects|match|fail|same)/i
const helping = /test|spec|helper|support|fixture|mock|assert|expect|matcher/i

const scriptGlobals = ['console', 'JSON', 'Math', 'Object', 'Array', 'String', 'Number', 'Boolean', 'Promise', 'Date']
const pythonBuiltins = ['print', 'len', 'int', 'str', 'float', 'list', 'dict', 'set', 'tuple', 'bool', 'repr', 'range']
const constants = new Set(['undefined', 'NaN', 'Infinity'])

/** Names that stand for the code under test: they come from files that are no helpers of tests, nor in a folder of theirs. */
function scriptCode(program: SyntaxNode, file: string): string[] {
  const imported = [...descendants(program)].flatMap((node) => {
    if (node.type === 'import_statement') return importedNames(node)
    return node.type === 'variable_declarator' ? (requiredNames(node) ?? []) : []
  })
  const isCode = ({ module }: { module: string }) =>
    /^\.{1,2}\//.test(module) && !helping.test(module) && !isForTests(posix.join(posix.dirname(file), module))
  return imported.filter(isCode).map(({ local }) => local)
}

/** Not `packages/spec/src/add.js`. */
function isForTests(path: string): boolean {
  return looksLikeTest(path) && !/(?:^|\/)(?:src|lib)\/[^/]*$/.test(path)
}

/**
 * Functions that the file, or one beside it, declares: `assertDurations(['P1D'])` may look at more than what it is given.
 * `null` for those of another file, whose bodies are not seen; `'open'` for one whose body is being looked at.
 */
type Helpers = ReadonlyMap<string, SyntaxNode | 'open' | null>

function scriptHelpers(program: SyntaxNode): Helpers {
  const helpers = new Map<string, SyntaxNode | null>()
  const importsBeside = (names: ReturnType<typeof importedNames>) => {
    for (const { module, local } of names) if (/^\.{1,2}\//.test(module)) helpers.set(local, null)
  }
  for (const node of descendants(program)) {
    if (node.type === 'function_declaration') helpers.set(fieldOf(node, 'name')?.text ?? '', node)
    if (node.type === 'import_statement') importsBeside(importedNames(node))
    if (node.type !== 'variable_declarator') continue
    const value = fieldOf(node, 'value')
    if (value && /function|arrow/.test(value.type)) helpers.set(fieldOf(node, 'name')?.text ?? '', value)
    else importsBeside(requiredNames(node) ?? [])
  }
  return helpers
}

/** One that calls itself checks nothing by that. */
const inside = (helpers: Helpers, name: string): Helpers => new Map([...helpers, [name, 'open']])

function scriptChecks(test: SyntaxNode, silent: ReadonlySet<string>, helpers: Helpers, isTest = true): boolean {
  const declared = [...descendants(test)].filter(({ type }) => type === 'variable_declarator')
  const local = new Set(declared.flatMap(namesIn))
  const given = isTest ? (fieldOf(test, 'parameters') ?? fieldOf(test, 'parameter')) : undefined
  const parameters = new Set(given ? namesIn(given) : [])
  const checks = (node: SyntaxNode): boolean => {
    const swallowed = swallowedBy(node, checks)
    const isSeen = swallowed === undefined || node.type !== 'call_expression'
    if (swallowed && [...descendants(swallowed)].some(recordsFailure)) return true
    return (isSeen && isCheck(node)) || node.children.some((child) => child !== swallowed && checks(child))
  }
  /** `t.fail()` of AVA and tap counts also where it is caught. */
  const recordsFailure = (node: SyntaxNode) => {
    if (node.type !== 'call_expression') return false
    const { root, words } = chainOf(node)
    return root !== undefined && parameters.has(root) && words.includes('fail')
  }
  const endings = new Set([...parameters, ...promiseEndings(test)])
  const isCheck = (node: SyntaxNode) => {
    if (node.type === 'throw_statement') return true
    if (node.type !== 'call_expression') return false
    const { root, words, given: values } = chainOf(node)
    if (words.includes('should')) return true
    if (root === undefined) return false
    // The test ends only if the code calls back.
    if (!waiting.has(root) && values.some(({ type, text }) => type === 'identifier' && endings.has(text))) return true
    // A function of this file is looked into; one of another file is taken at its name.
    const called = words.length === 0 ? helpers.get(root) : undefined
    const helper = called || asserting.test(root) ? called : undefined
    if (helper === 'open') return false
    if (helper) return scriptChecks(helper, silent, inside(helpers, root), false)
    if ((asserting.test(root) && helper === undefined) || parameters.has(root))
      return words.some((word) => /^(?:fail|unreachable)$/.test(word)) || values.some(isComputed)
    return !silent.has(root) && !local.has(root) && !waiting.has(root)
  }
  return checks(test)
}

/** These call back whatever the code does. */
const waiting = new Set(['setTimeout', 'setImmediate', 'setInterval', 'queueMicrotask', 'process', 'console'])

/** `resolve` and `reject` of promises that the test makes. */
function promiseEndings(test: SyntaxNode): string[] {
  return [...descendants(test)].flatMap((node) => {
    if (node.type !== 'new_expression' || fieldOf(node, 'constructor')?.text !== 'Promise') return []
    const executor = namedChildren(fieldOf(node, 'arguments') ?? { ...node, children: [] })[0]
    const given = executor && (fieldOf(executor, 'parameters') ?? fieldOf(executor, 'parameter'))
    return given ? namesIn(given) : []
  })
}

/** The part whose failures nobody sees: caught by a handler that neither checks nor throws anything. */
function swallowedBy(node: SyntaxNode, checks: (node: SyntaxNode) => boolean): SyntaxNode | undefined {
  if (node.type === 'try_statement') {
    const handler = fieldOf(node, 'handler')
    return handler && !checks(handler) ? fieldOf(node, 'body') : undefined
  }
  if (node.type !== 'call_expression') return undefined
  const callee = fieldOf(node, 'function')
  const isCatch = callee?.type === 'member_expression' && fieldOf(callee, 'property')?.text === 'catch'
  const handler = isCatch ? namedChildren(fieldOf(node, 'arguments') ?? { ...node, children: [] })[0] : undefined
  return handler && /function|arrow/.test(handler.type) && !checks(handler) ? callee : undefined
}

/** Of `expect(a).not.toBe(b)`: where it begins, the words on the way, and all that is handed over. */
function chainOf(call: SyntaxNode): { root: string | undefined; words: string[]; given: SyntaxNode[] } {
  const words: string[] = []
  const given: SyntaxNode[] = []
  let node: SyntaxNode | undefined = call
  while (node) {
    if (node.type === 'identifier') return { root: node.text, words, given }
    if (node.type === 'call_expression' || node.type === 'call') {
      given.push(...namedChildren(fieldOf(node, 'arguments') ?? { ...node, children: [] }))
      node = fieldOf(node, 'function')
    } else {
      const word: string | undefined = (fieldOf(node, 'property') ?? fieldOf(node, 'attribute'))?.text
      if (word !== undefined) words.push(word)
      node = fieldOf(node, 'object')
    }
  }
  return { root: undefined, words, given }
}

const computed = new Set(['this', 'call_expression', 'call', 'new_expression', 'throw_statement'])

/** Anything in it may come out otherwise. */
function isComputed(node: SyntaxNode): boolean {
  return [...descendants(node)].some(
    ({ type, text }) => computed.has(type) || (type === 'identifier' && !constants.has(text)),
  )
}

function namesIn(node: SyntaxNode): string[] {
  const named = node.type === 'variable_declarator' || node.type === 'assignment' ? node.children[0]! : node
  return [...descendants(named)].filter(({ type }) => /identifier/.test(type)).map(({ text }) => text)
}

function pythonCode(module: SyntaxNode, file: string): string[] {
  return [...descendants(module)].flatMap((node) => {
    if (node.type !== 'import_from_statement' && node.type !== 'import_statement') return []
    const isBeside = pythonImports(node).some(({ module }) => /^\.(?!\.)/.test(module))
    if (isBeside && isForTests(posix.join(posix.dirname(file), 'beside.py'))) return []
    const words = [...descendants(node)].filter(({ type }) => type === 'identifier').map(({ text }) => text)
    return words.some((word) => helping.test(word)) ? [] : words
  })
}

function pythonChecks(body: SyntaxNode, silent: ReadonlySet<string>, helpers: Helpers): boolean {
  const assigned = [...descendants(body)].filter(({ type }) => type === 'assignment')
  const local = new Set(assigned.flatMap(namesIn))
  const checks = (node: SyntaxNode): boolean => {
    const handlers = node.type === 'try_statement' ? node.children.filter(({ type }) => type === 'except_clause') : []
    const isSwallowed = handlers.some((one) => catchesFailures(one) && !checks(one))
    const swallowed = isSwallowed ? fieldOf(node, 'body') : undefined
    return isCheck(node) || node.children.some((child) => child !== swallowed && checks(child))
  }
  const isCheck = (node: SyntaxNode) => {
    if (node.type === 'raise_statement') return true
    if (node.type === 'assert_statement') return isComputed(node)
    if (node.type !== 'call') return false
    const { root, words, given } = chainOf(node)
    if (root === undefined) return false
    const asserts = asserting.test(root) || words.some((word) => asserting.test(word))
    const called = ownFunction(root, words)
    const helper = called === undefined ? undefined : helpers.get(called)
    if (helper === 'open') return false
    if (helper) return pythonChecks(helper, silent, inside(helpers, called!))
    if (asserts) return words.includes('fail') || given.some(isComputed)
    return !silent.has(root) && !local.has(root)
  }
  return checks(body)
}

/** The function of `check(1)`, and the method of `self.check(1)`. */
function ownFunction(root: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return root
  return root === 'self' && words.length === 1 ? words[0] : undefined
}

/** `except:`, or one that names assertions or everything. */
function catchesFailures(clause: SyntaxNode): boolean {
  const named = namedChildren(clause).filter(({ type }) => type !== 'block')
  const names = named.flatMap((one) => [...descendants(one)].filter(({ type }) => type === 'identifier'))
  return names.length === 0 || names.some(({ text }) => /^(?:AssertionError|Exception|BaseException)$/.test(text))
}
