/** Reads the syntax tree of a TypeScript or JavaScript file: its symbols, what it exports, what it imports. */
import { moduleSymbol, type SyntaxFacts } from '../../rules/build/syntax-facts.ts'
import { readCommonExport } from './common-exports.ts'
import type { SymbolDraft } from './drafts.ts'
import { ExportList } from './export-list.ts'
import { isDeclarationFile } from './languages.ts'
import { declarationDrafts, valueDrafts } from './script-declarations.ts'
import {
  importedNames,
  importFacts,
  moduleOf,
  requiredNames,
  scriptEvaluations,
  specifierNames,
} from './script-imports.ts'
import { isFunction } from './script-signatures.ts'
import { scriptTokens, statementTokens } from './script-tokens.ts'
import { childOf, fieldOf, hasChild, namedChildren, type SyntaxNode } from './source-tree.ts'

/** What is gathered while the statements of a file are read. */
export interface ScriptReading {
  drafts: SymbolDraft[]
  exports: ExportList
  /** Where a name that was imported comes from. */
  imported: Map<string, readonly string[]>
  /** Statements outside every declaration. */
  rest: SyntaxNode[]
}

export function scriptFacts(file: string, program: SyntaxNode): Pick<SyntaxFacts, 'symbols' | 'imports' | 'evaluates'> {
  const reading: ScriptReading = { drafts: [], exports: new ExportList(), imported: new Map(), rest: [] }
  const statements = namedChildren(program)
  const isModule = statements.some(({ type }) => type === 'import_statement' || type === 'export_statement')
  for (const statement of statements) readStatement(statement, reading, isModule)
  if (!isModule && isDeclarationFile(file)) for (const { root } of reading.drafts) reading.exports.add(root)
  for (const { root, kind } of reading.drafts) if (kind === 'type' && isAugmentation(root)) reading.exports.add(root)
  const evaluates = scriptEvaluations(program)
  return {
    symbols: reading.exports.apply(withModule(reading), reading.imported),
    imports: importFacts(program),
    ...(evaluates.length > 0 ? { evaluates } : {}),
  }
}

function readStatement(statement: SyntaxNode, reading: ScriptReading, isModule: boolean): void {
  const { type } = statement
  if (type === 'import_statement') noteImports(importedNames(statement), reading)
  else if (type === 'export_statement') readExport(statement, reading)
  else if (isModule || type !== 'expression_statement' || !readCommonExport(statement, reading)) {
    const drafts = declarationDrafts(withoutRequires(statement, reading))
    reading.drafts.push(...drafts)
    if (drafts.length === 0 && !isVariable(statement)) reading.rest.push(statement)
  }
}

function readExport(statement: SyntaxNode, reading: ScriptReading): void {
  const [declaration, value] = [fieldOf(statement, 'declaration'), fieldOf(statement, 'value')]
  const isDefault = hasChild(statement, 'default')
  if (declaration) {
    const decorators = statement.children.filter((child) => child.type === 'decorator')
    const place = { prefix: '', decorators: scriptTokens(...decorators).tokens }
    exportDrafts(declarationDrafts(declaration, place), isDefault, reading)
  } else if (value?.type === 'identifier') {
    reading.exports.addDefault(value.text)
  } else if (value) {
    const name = value.type === 'class' || isFunction(value) ? fieldOf(value, 'name')?.text : undefined
    exportDrafts(valueDrafts(name ?? 'default', value, { prefix: '' }), true, reading)
  } else if (fieldOf(statement, 'source')) {
    readReexport(statement, reading)
  } else if (hasChild(statement, '=')) {
    reading.exports.add(lastName(statement), 'export =')
  } else if (hasChild(statement, 'namespace')) {
    reading.exports.addForeign(`namespace ${lastName(statement)}`, [])
  } else {
    for (const one of specifiers(statement)) reading.exports.add(one.name, one.exported)
  }
}

/** Removing a re-export removes an export; where it comes from is not for callers to see. */
function readReexport(statement: SyntaxNode, { exports }: ScriptReading): void {
  const module = moduleOf(statement)
  const namespace = childOf(statement, 'namespace_export')
  if (namespace) exports.addForeign(specifierNames(namespace).alias ?? '*', ['*', module])
  else if (!childOf(statement, 'export_clause')) exports.addForeign(`* from ${module}`, [])
  for (const one of specifiers(statement)) exports.addForeign(one.exported, [one.name, module])
}

function exportDrafts(drafts: readonly SymbolDraft[], isDefault: boolean, { drafts: all, exports }: ScriptReading) {
  all.push(...drafts)
  for (const { root } of drafts) {
    if (isDefault) exports.addDefault(root)
    else exports.add(root)
  }
}

function specifiers(statement: SyntaxNode): { name: string; exported: string }[] {
  const clause = childOf(statement, 'export_clause')
  return (clause ? namedChildren(clause) : []).map((one) => {
    const { name, alias } = specifierNames(one)
    return { name, exported: alias ?? name }
  })
}

function noteImports(names: ReturnType<typeof importedNames>, { imported }: ScriptReading): void {
  for (const { local, name, module } of names) imported.set(local, [name, module])
}

/** Of a declaration, what is not an import by another name. */
function withoutRequires(statement: SyntaxNode, reading: ScriptReading): SyntaxNode {
  if (!isVariable(statement)) return statement
  const children = statement.children.filter((child) => {
    const names = child.type === 'variable_declarator' ? requiredNames(child) : undefined
    if (names) noteImports(names, reading)
    return !names
  })
  return { ...statement, children }
}

function isVariable({ type }: SyntaxNode): boolean {
  return type === 'lexical_declaration' || type === 'variable_declaration'
}

function withModule({ drafts, rest }: ScriptReading): SymbolDraft[] {
  if (rest.length === 0) return drafts
  const body = statementTokens(rest)
  return [...drafts, { root: moduleSymbol, name: moduleSymbol, kind: 'module', sign: () => [moduleSymbol], body }]
}

/** `declare global` and `declare module 'x'` reach beyond the file without being exported. */
function isAugmentation(root: string): boolean {
  return root === 'global' || !/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(root)
}

function lastName(statement: SyntaxNode): string {
  return scriptTokens(namedChildren(statement).at(-1)).tokens.join(' ')
}
