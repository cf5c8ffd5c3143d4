/** Finds the titles of the tests in a source file, and of those with an empty body. */
import type { TestText } from '../../rules/evidence/changed-tests.ts'
import { pythonTokens } from './python-tokens.ts'
import { scriptTokens } from './script-tokens.ts'
import { descendants, fieldOf, innerNodes, namedChildren, type SyntaxNode } from './source-tree.ts'

export function scriptTestTitles(program: SyntaxNode): string[] {
  return [...new Set(scriptTests(program).map(({ title }) => title))]
}

export function scriptEmptyTests(program: SyntaxNode): string[] {
  const isEmpty = (node: SyntaxNode | undefined) => {
    const body = node && /function|arrow/.test(node.type) ? fieldOf(node, 'body') : undefined
    return body?.type === 'statement_block' && namedChildren(body).length === 0
  }
  const empty = scriptTests(program).filter(({ more }) => isEmpty(more.at(-1)))
  return [...new Set(empty.map(({ title }) => title))]
}

/** With its table and without its layout, so that only what it does is compared. */
export function scriptTestTexts(program: SyntaxNode): TestText[] {
  return scriptTests(program).map(({ title, callee, more }) => ({
    title,
    tokens: scriptTokens(callee, ...more).tokens,
  }))
}

export function pythonTestTexts(module: SyntaxNode): TestText[] {
  return pythonTests(module).map(({ name, whole }) => ({ title: name, tokens: pythonTokens(whole).tokens }))
}

export function pythonTestTitles(module: SyntaxNode): string[] {
  return [...new Set(pythonTests(module).map(({ name }) => name))]
}

/** A docstring is not a check. */
export function pythonEmptyTests(module: SyntaxNode): string[] {
  const isNothing = (statement: SyntaxNode) =>
    statement.type === 'pass_statement' ||
    (statement.type === 'expression_statement' &&
      namedChildren(statement).every(({ type }) => type === 'ellipsis' || type === 'string'))
  const empty = pythonTests(module).filter(({ body }) => namedChildren(body).every(isNothing))
  return [...new Set(empty.map(({ name }) => name))]
}

/** Each with what is called and the other arguments of its call. */
export function scriptTests(program: SyntaxNode): { title: string; callee: SyntaxNode; more: SyntaxNode[] }[] {
  return [...innerNodes(program)].flatMap((node) => {
    const callee = node.type === 'call_expression' ? fieldOf(node, 'function') : undefined
    if (!callee || !isTest(callee)) return []
    const [first, ...more] = namedChildren(fieldOf(node, 'arguments')!)
    const title = first && textOf(first)
    return title === undefined ? [] : [{ title, callee, more }]
  })
}

const testNames = new Set(['it', 'test', 'specify', 'fit', 'xit', 'xtest'])
const testHolders = new Set(['t', 'Deno', 'context'])

/** `it`, `it.only`, `it.each([…])`, and inside a test `t.test`; not the `test` method of a regular expression. */
function isTest(callee: SyntaxNode | undefined): boolean {
  if (!callee) return false
  if (callee.type === 'identifier') return testNames.has(callee.text)
  if (callee.type === 'call_expression') return isTable(fieldOf(callee, 'function'))
  if (callee.type !== 'member_expression' || isTable(callee)) return false
  const [object, property] = [fieldOf(callee, 'object'), fieldOf(callee, 'property')?.text ?? '']
  if (object?.type === 'identifier' && testHolders.has(object.text)) return property === 'test'
  return property !== 'step' && isTest(object)
}

/** The first call gives the table, the second the title. */
function isTable(callee: SyntaxNode | undefined): boolean {
  if (callee?.type !== 'member_expression') return false
  const property = fieldOf(callee, 'property')?.text ?? ''
  return ['each', 'for', 'skipIf', 'runIf'].includes(property) && isTest(fieldOf(callee, 'object'))
}

function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'string') return plain(node.text.slice(1, -1))
  if (node.type === 'template_string') return plain(node.children.slice(1, -1).map(sourceOf).join(''))
  if (node.type !== 'binary_expression') return undefined
  const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')]
  const parts = [left && textOf(left), right && textOf(right)]
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined
}

function sourceOf(node: SyntaxNode): string {
  return node.children.length === 0 ? node.text : node.children.map(sourceOf).join('')
}

function plain(text: string): string {
  return text.replace(/\\(['"`\\])/g, '$1')
}

/** Tests are functions at the top, and methods of test classes. */
export function pythonTests(body: SyntaxNode): { name: string; body: SyntaxNode; whole: SyntaxNode }[] {
  return namedChildren(body).flatMap((statement) => {
    const node = fieldOf(statement, 'definition') ?? statement
    const name = fieldOf(node, 'name')?.text ?? ''
    if (node.type === 'function_definition')
      return /^test/.test(name) ? [{ name, body: fieldOf(node, 'body')!, whole: statement }] : []
    if (node.type !== 'class_definition') return []
    const bases = fieldOf(node, 'superclasses')
    const isCase = bases !== undefined && [...descendants(bases)].some(({ text }) => text.endsWith('TestCase'))
    return /^Test/.test(name) || isCase ? pythonTests(fieldOf(node, 'body')!) : []
  })
}
