/** The modules of finished issues, with their exports and purpose. CX3. */

import { factsAt, inProject, inRepository, type ProjectWorkspace } from '../../build/workspace.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { oneLine } from '../../rules/text/one-line.ts'

export interface ModuleEntry {
  path: string
  symbols: string[]
  purpose: string
  change: 'created' | 'modified'
}

export interface TouchedPath {
  path: string
  status: string
}

const mostModules = 8
const mostSymbols = 12

/** The files a commit touched, relative to the project. */
export async function touchedBy(workspace: ProjectWorkspace, commit: string): Promise<TouchedPath[]> {
  const changes = await workspace.repository.changes(`${commit}^1`, commit)
  return changes.map(({ path, status }) => ({ path: inProject(workspace, path) ?? path, status }))
}

/** Exports from the syntax trees at the commit; the purpose from the file's own comment, otherwise the title. */
export async function modulesOf(
  workspace: ProjectWorkspace,
  commit: string,
  touched: readonly TouchedPath[],
  madeFor: string,
): Promise<ModuleEntry[]> {
  const kept = touched.filter(({ path, status }) => status !== 'deleted' && !looksLikeTest(path) && !isContract(path))
  const files = kept.slice(0, mostModules)
  const facts = new Map(
    (
      await factsAt(
        workspace,
        commit,
        files.map(({ path }) => path),
      )
    ).map((one) => [one.file, one]),
  )
  const texts = await workspace.repository.readFiles(
    commit,
    files.map(({ path }) => inRepository(workspace, path)),
  )
  return files
    .filter(({ path }) => facts.get(path)?.language)
    .map(({ path, status }) => ({
      path,
      symbols: exportsOf(facts.get(path)?.symbols ?? []),
      purpose: purposeOf(texts.get(inRepository(workspace, path))?.toString('utf8') ?? '') ?? madeFor,
      change: status === 'added' ? ('created' as const) : ('modified' as const),
    }))
}

/** A file's first comment, or a Python module's docstring. */
export function purposeOf(source: string): string | null {
  const text = source
    .replace(/^\uFEFF/, '')
    .replace(/^#!.*\n/, '')
    .replace(/^(?:\s*['"]use strict['"];?)?\s*/, '')
  const block = /^\/\*+([\s\S]*?)\*\//.exec(text)?.[1] ?? /^[rRuU]?("""|''')([\s\S]*?)\1/.exec(text)?.[2]
  const lines = /^(?:(?:\/\/|#)[^\n]*(?:\n|$))+/.exec(text)?.[0]
  const said = (block ?? lines ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*+|\/\/+|#+)?\s?/, '').trim())
    .filter((line) => line !== '' && !/^@|^(eslint|biome|prettier|ts-|coding[:=]|-\*-|copyright|spdx)/i.test(line))
    .join(' ')
  return firstSentence(said)
}

function firstSentence(text: string): string | null {
  const line = oneLine(text, 200)
  const end = /[.!?](?=\s|$)/.exec(line)
  const sentence = (end ? line.slice(0, end.index) : line).trim()
  return /\p{L}{2}/u.test(sentence) ? sentence : null
}

function exportsOf(symbols: readonly { name: string; kind: string; exported: boolean }[]): string[] {
  const names = symbols
    .filter(({ name, kind, exported }) => exported && kind !== 'module' && !name.includes('.'))
    .map(({ name }) => name)
  return [...new Set(names)].slice(0, mostSymbols)
}

function isContract(path: string): boolean {
  return /(^|\/)contract\//.test(path)
}
