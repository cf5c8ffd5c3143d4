/**
 * Overrides the file from the environment: `CONVENE_BUDGET__CALLS=50` is `budget: {calls: 50}`. The variable's name is the
 * key's path in capitals, with two underscores between its parts. A value that is neither text nor a number is YAML.
 */

import { nearest } from '../../rules/text/nearest.ts'
import { parseYaml } from '../safe-yaml.ts'
import { keysAt, nodesAt } from './json-schema.ts'
import type { ConfigProblem } from './problems.ts'

type Environment = Record<string, string | undefined>
type Tree = Record<string, unknown>

const databaseVariable = 'CONVENE_DATABASE_URL'

export interface Overridden {
  value: Tree
  /** The variable that set a key or created its parent map, by the key's dotted path. */
  variables: Map<string, string>
  problems: ConfigProblem[]
}

/** Returns a copy of the file's values with those of the environment on top. */
export function overrideFromEnvironment(fileValue: Tree, env: Environment): Overridden {
  const result: Overridden = { value: structuredClone(fileValue), variables: new Map(), problems: [] }
  for (const name of Object.keys(env).sort()) {
    const text = env[name]?.trim()
    if (!name.startsWith('CONVENE_') || !text) continue
    if (name.includes('__', 'CONVENE_'.length)) setFromVariable(result, name, text)
    else if (name !== databaseVariable) result.problems.push(...singleUnderscore(name))
  }
  const url = env[databaseVariable]?.trim()
  if (url) setDatabase(result, url)
  return result
}

/** `CONVENE_BUDGET__CALLS` for `budget.calls`. */
export function variableFor(path: readonly string[]): string {
  return `CONVENE_${path.map((part) => part.toUpperCase().replace(/[^A-Z0-9]/g, '_')).join('__')}`
}

function setFromVariable({ value, variables }: Overridden, name: string, text: string): void {
  const path: string[] = []
  let here = value
  const parts = name.slice('CONVENE_'.length).split('__')
  for (const [index, part] of parts.entries()) {
    const key = keyFor(part, here)
    path.push(key)
    if (index === parts.length - 1) {
      define(here, key, readValue(text, path, value))
      break
    }
    const below = Object.hasOwn(here, key) ? here[key] : undefined
    if (!isTree(below)) {
      define(here, key, {})
      variables.set(path.join('.'), name)
    }
    here = here[key] as Tree
  }
  variables.set(path.join('.'), name)
}

/** Matches names with dashes or capitals, such as those of agents, which variables cannot spell. */
function keyFor(part: string, here: Tree): string {
  const plain = (key: string) => key.toLowerCase().replace(/[^a-z0-9]/g, '_')
  return Object.keys(here).find((key) => plain(key) === part.toLowerCase()) ?? part.toLowerCase()
}

/** The type of the key decides: a command such as `make test: all` is text, not a map. */
function readValue(text: string, path: string[], value: Tree): unknown {
  if (nodesAt(path, value).some((node) => node.type === 'string' && node.const === undefined)) return text
  try {
    return parseYaml(text) ?? text
  } catch {
    return text
  }
}

/** Refuses `CONVENE_BUDGET_CALLS`: a limit that is silently ignored is worse than none. */
function singleUnderscore(name: string): ConfigProblem[] {
  const rest = name.slice('CONVENE_'.length).toLowerCase()
  const section = keysAt([], {}).find((key) => rest.startsWith(`${key}_`))
  if (section === undefined) return []
  const key = nearest(rest.slice(section.length + 1), keysAt([section], {}))
  if (key === undefined) return []
  return [
    {
      message: `unknown environment variable ${name}; did you mean ${variableFor([section, key])} (two underscores between the parts of a key)?`,
      path: `${section}.${key}`,
      expected: variableFor([section, key]),
    },
  ]
}

/** It wins over `engine.url`, wherever that comes from. */
function setDatabase({ value, variables }: Overridden, url: string): void {
  if (!isTree(value.engine)) define(value, 'engine', {})
  define(value.engine as Tree, 'url', url)
  variables.set('engine.url', databaseVariable)
}

function define(tree: Tree, key: string, value: unknown): void {
  Object.defineProperty(tree, key, { value, writable: true, enumerable: true, configurable: true })
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
