/** Reads the syntax tree of a Python file: its symbols, what it exports, what it imports. */
import { moduleSymbol, type SyntaxFacts } from '../../rules/build/syntax-facts.ts'
import type { SymbolDraft } from './drafts.ts'
import { ExportList } from './export-list.ts'
import { type Declared, isAssignment, pythonDrafts } from './python-declarations.ts'
import { type PythonImport, pythonEvaluations, pythonImportFacts, pythonImports } from './python-imports.ts'
import { importStatements, moduleTokens } from './python-tokens.ts'
import { childOf, descendants, fieldOf, namedChildren, type SyntaxNode } from './source-tree.ts'

export function pythonFacts(
  file: string,
  module: SyntaxNode,
): Pick<SyntaxFacts, 'symbols' | 'imports' | 'evaluates' | 'listsExports'> {
  const evaluates = pythonEvaluations(module)
  const isStubFile = file.endsWith('.pyi')
  const statements = namedChildren(module)
  const imports = topImports(module)
  const drafts: SymbolDraft[] = []
  const rest: SyntaxNode[] = []
  for (const statement of statements) {
    if (importStatements.has(statement.type) || isExportList(statement)) continue
    const own = pythonDrafts(statement, { prefix: '', isStubFile })
    if (own.length === 0) rest.push(statement)
    drafts.push(...own, ...(own.length === 0 ? conditionalDrafts(statement, { prefix: '', isStubFile }) : []))
  }
  const exports = exportsOf(file, statements, drafts, imports)
  const imported = new Map(
    imports.flatMap((one) => one.names.map(({ local, name }) => [local, [name, one.module]] as const)),
  )
  return {
    symbols: exports.apply([...drafts, ...moduleDraft(rest)], imported),
    imports: pythonImportFacts(module),
    ...(evaluates.length > 0 ? { evaluates } : {}),
    ...(statements.some(isExportList) ? { listsExports: true } : {}),
  }
}

/** Exactly what `__all__` names where it is written out; otherwise every name that does not begin with an underscore. */
function exportsOf(
  file: string,
  statements: readonly SyntaxNode[],
  drafts: readonly SymbolDraft[],
  imports: readonly PythonImport[],
): ExportList {
  const exports = new ExportList()
  for (const { module, isWildcard } of imports) if (isWildcard) exports.addForeign(`* from ${module}`, [])
  const lists = statements.filter(isExportList)
  for (const name of lists.flatMap(listedNames)) exports.add(name)
  if (lists.length > 0 && lists.every(isWrittenOut)) return exports
  for (const { root } of drafts) if (!root.startsWith('_')) exports.add(root)
  const isPackage = /(^|\/)__init__\.pyi?$/.test(file)
  for (const { module, names } of imports) {
    const isOwn = isPackage && module.startsWith('.')
    for (const { local, isKept } of names) if (isKept || (isOwn && !local.startsWith('_'))) exports.add(local)
  }
  return exports
}

/** `__all__ = […]`, `__all__ += […]`, `__all__.append(…)`. */
function isExportList(statement: SyntaxNode): boolean {
  const expression = statement.type === 'expression_statement' ? statement.children[0] : undefined
  if (!expression) return false
  if (isAssignment(expression)) return fieldOf(expression, 'left')?.text === '__all__'
  const callee = expression.type === 'call' ? fieldOf(expression, 'function') : undefined
  return callee?.type === 'attribute' && fieldOf(callee, 'object')?.text === '__all__'
}

function listedNames(statement: SyntaxNode): string[] {
  const strings = [...descendants(statement)].filter(({ type }) => type === 'string')
  return strings.flatMap((one) => childOf(one, 'string_content')?.text ?? [])
}

function isWrittenOut(statement: SyntaxNode): boolean {
  const plain = 'expression_statement assignment augmented_assignment list tuple call attribute argument_list string'
  const known = new Set([...plain.split(' '), 'identifier', 'string_start', 'string_content', 'string_end', 'type'])
  const isMethod = (text: string) => text === '__all__' || text === 'append' || text === 'extend'
  return [...descendants(statement)].every(
    ({ type, isNamed, text }) => !isNamed || (known.has(type) && (type !== 'identifier' || isMethod(text))),
  )
}

/** Names that a branch at the top gives: they are there for others, while the branch as a whole stays logic of the file. */
function conditionalDrafts(statement: SyntaxNode, place: Declared): SymbolDraft[] {
  const condition = fieldOf(statement, 'condition')
  const isMain = condition && [...descendants(condition)].some(({ text }) => text === '__name__')
  if (isMain || !['if_statement', 'try_statement', 'with_statement'].includes(statement.type)) return []
  return branchStatements(statement).flatMap((one) => {
    const own = importStatements.has(one.type) ? [] : pythonDrafts(one, place)
    return own.length > 0 ? own : conditionalDrafts(one, place)
  })
}

function branchStatements(statement: SyntaxNode): SyntaxNode[] {
  return namedChildren(statement).flatMap((part) => {
    if (part.type === 'block') return namedChildren(part)
    return part.type.endsWith('_clause') ? branchStatements(part) : []
  })
}

/** Imports outside of functions and classes. */
function topImports(module: SyntaxNode): PythonImport[] {
  const branches = (statement: SyntaxNode): SyntaxNode[] =>
    importStatements.has(statement.type) ? [statement] : branchStatements(statement).flatMap(branches)
  return namedChildren(module).flatMap(branches).flatMap(pythonImports)
}

function moduleDraft(rest: readonly SyntaxNode[]): SymbolDraft[] {
  const body = moduleTokens(rest)
  if (body.tokens.length === 0) return []
  return [{ root: moduleSymbol, name: moduleSymbol, kind: 'module', sign: () => [moduleSymbol], body }]
}
