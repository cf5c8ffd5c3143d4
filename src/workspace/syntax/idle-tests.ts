/** Tests that check nothing: they only call the code, or compare what is written out with itself. */
import { importedNames, requiredNames } from './script-imports.ts'
import { descendants, fieldOf, namedChildren, type SyntaxNode } from './source-tree.ts'
import { pythonTests, scriptTests } from './test-titles.ts'

/** Only what can be told is named: a call of something unknown may check. */
export function scriptIdleTests(program: SyntaxNode): string[] {
  const silent = new Set([...scriptGlobals, ...scriptCode(program)])
  const idle = scriptTests(program).filter(({ more }) => {
    const test = more.at(-1)
    return test !== undefined && /function|arrow/.test(test.type) && !scriptChecks(test, silent)
  })
  return [...new Set(idle.map(({ title }) => title))]
}

export function pythonIdleTests(module: SyntaxNode): string[] {
  const silent = new Set([...pythonBuiltins, ...pythonCode(module)])
  const idle = pythonTests(module).filter(({ body }) => !pythonChecks(body, silent))
  return [...new Set(idle.map(({ name }) => name))]
}

const asserting =
  /^(?:assert|expect|should|chai|tap$|t$|ok$|equal|strictEqual|deep|not|throws|rejects|match|fail|same)/i
const helping = /test|spec|helper|support|fixture|mock|assert|expect|matcher/i

const scriptGlobals = ['console', 'JSON', 'Math', 'Object', 'Array', 'String', 'Number', 'Boolean', 'Promise', 'Date']
const pythonBuiltins = ['print', 'len', 'int', 'str', 'float', 'list', 'dict', 'set', 'tuple', 'bool', 'repr', 'range']
const constants = new Set(['undefined', 'NaN', 'Infinity'])

/** Names that stand for the code under test: they come from files that are no helpers of tests. */
function scriptCode(program: SyntaxNode): string[] {
  const imported = [...descendants(program)].flatMap((node) => {
    if (node.type === 'import_statement') return importedNames(node)
    return node.type === 'variable_declarator' ? (requiredNames(node) ?? []) : []
  })
  return imported.filter(({ module }) => /^\.{1,2}\//.test(module) && !helping.test(module)).map(({ local }) => local)
}

function scriptChecks(test: SyntaxNode, silent: ReadonlySet<string>): boolean {
  const nodes = [...descendants(test)]
  const local = new Set(nodes.filter(({ type }) => type === 'variable_declarator').flatMap(namesIn))
  const given = fieldOf(test, 'parameters') ?? fieldOf(test, 'parameter')
  const parameters = new Set(given ? namesIn(given) : [])
  return nodes.some((node) => {
    if (node.type === 'throw_statement') return true
    if (node.type !== 'call_expression') return false
    const { root, words, given: values } = chainOf(node)
    if (words.includes('should')) return true
    if (root === undefined) return false
    if (asserting.test(root) || parameters.has(root))
      return words.some((word) => /^(?:fail|unreachable)$/.test(word)) || values.some(isComputed)
    return !silent.has(root) && !local.has(root)
  })
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

function pythonCode(module: SyntaxNode): string[] {
  return [...descendants(module)].flatMap((node) => {
    if (node.type !== 'import_from_statement' && node.type !== 'import_statement') return []
    const words = [...descendants(node)].filter(({ type }) => type === 'identifier').map(({ text }) => text)
    return words.some((word) => helping.test(word)) ? [] : words
  })
}

function pythonChecks(body: SyntaxNode, silent: ReadonlySet<string>): boolean {
  const nodes = [...descendants(body)]
  const local = new Set(nodes.filter(({ type }) => type === 'assignment').flatMap(namesIn))
  return nodes.some((node) => {
    if (node.type === 'raise_statement') return true
    if (node.type === 'assert_statement') return isComputed(node)
    if (node.type !== 'call') return false
    const { root, words, given } = chainOf(node)
    if (root === undefined) return false
    const asserts = asserting.test(root) || words.some((word) => asserting.test(word))
    if (asserts) return words.includes('fail') || given.some(isComputed)
    return !silent.has(root) && !local.has(root)
  })
}
