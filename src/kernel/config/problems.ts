/** Words the problems of a configuration: what is wrong, where, and how to fix it. */
import type { z } from 'zod'
import { nearest } from '../../rules/text/nearest.ts'
import { redactShapes } from '../redaction/redact.ts'
import { configJsonSchema, keysAt, nodesAt, type SchemaNode } from './json-schema.ts'
import { describeValue, expectationOf, holdsSecret, valueAt } from './wording.ts'

export interface ConfigProblem {
  /** The whole sentence. Never contains a secret. */
  message: string
  /** The key, dotted. */
  path: string
  expected?: string
}

/** Where a value came from, and how its key is written there. */
export interface Origin {
  /** Such as `at convene.yaml:3`. */
  where: string
  variable?: string
  /** How another key of the same map would be written there. */
  spell(path: readonly string[]): string
}

export type OriginOf = (path: readonly string[]) => Origin

type Issue = z.core.$ZodIssue

export function problemsOf(issues: readonly Issue[], value: unknown, originOf: OriginOf): ConfigProblem[] {
  return issues.flatMap((issue) => problemsOfIssue(issue, value, originOf))
}

function problemsOfIssue(issue: Issue, value: unknown, originOf: OriginOf): ConfigProblem[] {
  const path = issue.path.map(String)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], value, originOf))
    case 'invalid_union':
      return issue.errors.length > 0
        ? problemsOf(likeliestBranch(issue, value), value, originOf)
        : [wrongChoice(path, choicesOf(issue), value, originOf)]
    case 'invalid_value':
      return [wrongChoice(path, issue.values.map(String), value, originOf)]
    case 'invalid_key':
      return [problem(path, `the name '${path.at(-1)}'`, issue.issues[0]?.message ?? 'a valid name', '', originOf)]
    case 'invalid_format':
    case 'custom':
      return [wrongValue(path, issue.message, value, originOf)]
    default:
      return [wrongValue(path, undefined, value, originOf)]
  }
}

function unknownKey(path: string[], value: unknown, originOf: OriginOf): ConfigProblem {
  const [key, parent] = [path.at(-1)!, path.slice(0, -1)]
  const { where, spell, variable } = originOf(path)
  const known = keysAt(parent, value)
  const meant = nearest(key, known)
  const inside = parent.length > 0 ? ` in ${parent.join('.')}` : ''
  const what = variable ? `unknown environment variable ${variable}` : `unknown key '${key}'${inside} ${where}`
  return {
    message: redactShapes(`${what}; ${hint()}`),
    path: redactShapes(path.join('.')),
    expected: meant ?? known.join(', '),
  }

  function hint(): string {
    const provider = otherProvider(path, value)
    if (provider)
      return `it is for agents of provider ${provider}, not ${describeValue(valueAt(value, [...parent, 'provider']))}`
    if (meant) return `did you mean '${spell([...parent, meant])}'?`
    const elsewhere = placesOf(key)
    if (elsewhere.length === 1) return `it belongs at ${elsewhere[0]}`
    return known.length > 0 ? `known keys: ${known.join(', ')}` : 'no keys are allowed here'
  }
}

function wrongChoice(path: string[], choices: string[], value: unknown, originOf: OriginOf): ConfigProblem {
  const given = valueAt(value, path)
  const expected = choices.length === 1 ? choices[0]! : `one of ${choices.join(', ')}`
  if (given === undefined) return missing(path, expected, value, originOf)
  const meant = typeof given === 'string' ? nearest(given, choices) : undefined
  return problem(path, path.join('.'), expected, describeValue(given), originOf, meant && `did you mean '${meant}'?`)
}

function wrongValue(path: string[], phrase: string | undefined, value: unknown, originOf: OriginOf): ConfigProblem {
  const given = valueAt(value, path)
  const node = nodesAt(path, value)
  const expected = phrase ?? expectationOf(node)
  if (path.length === 0)
    return { message: `convene.yaml must hold keys such as 'agents:', not ${describeValue(given)}`, path: '', expected }
  if (given === undefined) return missing(path, expected, value, originOf)
  if (namesVariable(path) && holdsSecret(given)) return pastedSecret(path, originOf)
  return problem(path, path.join('.'), expected, describeValue(given), originOf, fixOf(given, node))
}

/** Never repeats the secret. */
export function pastedSecret(path: readonly string[], originOf: OriginOf): ConfigProblem {
  const example = path.at(-1) === 'token_env' ? 'token_env: GITHUB_TOKEN' : 'api_key_env: OPENAI_API_KEY'
  return {
    message:
      `${path.join('.')} ${originOf(path).where} holds what looks like a secret itself; put the secret into an ` +
      `environment variable, write that variable's name here (${example}), and replace the secret if others have seen this file`,
    path: path.join('.'),
    expected: 'the name of an environment variable',
  }
}

export function unknownAgent(
  path: readonly string[],
  name: string,
  agents: readonly string[],
  originOf: OriginOf,
): ConfigProblem {
  const meant = nearest(name, agents)
  const hint = meant
    ? `did you mean '${meant}'?`
    : agents.length > 0
      ? `agents are: ${agents.join(', ')}`
      : 'no agents are configured; add it under agents:'
  return {
    message: redactShapes(
      `${path.join('.')} ${originOf(path).where} names the agent '${name}', which is not under agents; ${hint}`,
    ),
    path: path.join('.'),
    expected: agents.join(', ') || 'an agent',
  }
}

/** Whether a key holds the name of an environment variable. */
export function namesVariable(path: readonly string[]): boolean {
  const key = path.at(-1) ?? ''
  return key.endsWith('_env') || (/^\d+$/.test(key) && path.at(-2) === 'env')
}

function missing(path: string[], expected: string, value: unknown, originOf: OriginOf): ConfigProblem {
  const parent = path.slice(0, -1)
  const purpose = nodesAt(path, value)[0]?.description
  const wanted = expected === 'text' && purpose ? purpose.replace(/\.$/, '') : expected
  return {
    message: `${path.join('.')} is missing ${originOf(parent).where}; add '${path.at(-1)}:' (${wanted})`,
    path: path.join('.'),
    expected,
  }
}

function problem(
  path: string[],
  subject: string,
  expected: string,
  given: string,
  originOf: OriginOf,
  fix?: string,
): ConfigProblem {
  const not = given ? `, not ${given}` : ''
  const message = `${subject} ${originOf(path).where} must be ${expected}${not}${fix ? `; ${fix}` : ''}`
  return { message: redactShapes(message), path: redactShapes(path.join('.')), expected }
}

/** Fixes for common mistakes in YAML. */
function fixOf(given: unknown, nodes: SchemaNode[]): string | undefined {
  const takes = (type: string) => nodes.some((node) => node.type === type)
  if (typeof given === 'string' && takes('boolean')) {
    if (/^(?:yes|on|true)$/i.test(given)) return 'write true'
    if (/^(?:no|off|false)$/i.test(given)) return 'write false'
  }
  const takesText = nodes.some((node) => node.type === 'string' && node.const === undefined)
  const isNumeral = typeof given === 'string' && given.trim() !== '' && Number.isFinite(Number(given))
  if (isNumeral && (takes('number') || takes('integer'))) return 'remove the quotes'
  if (typeof given === 'string' && takes('array')) return `write it as a list: [${describeValue(given)}]`
  if ((Number.isFinite(given) || typeof given === 'boolean') && takesText) return `put it in quotes: "${given}"`
  if (Array.isArray(given) && takes('string')) return 'write it as one text'
  if (typeof given !== 'object' && takes('object')) return "write its keys below it, indented, one 'key: value' a line"
  return typeof given === 'string' ? addressFix(given) : undefined
}

/** Fixes for common mistakes in addresses: a host without a scheme, the URL of a repository's page. */
function addressFix(given: string): string | undefined {
  const repository = /^(?:https?:\/\/|git@|ssh:\/\/git@)[^/:]+[/:]([\w-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(given)?.[1]
  if (repository) return `write ${repository}`
  return /^(?:localhost|[\d.]+):\d+/.test(given) ? `write http://${given}` : undefined
}

/** The values that select a form of a union. */
function choicesOf(issue: Issue): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : []
}

/** Guesses which form of a union was meant: the one whose outermost type fits. */
function likeliestBranch(issue: Extract<Issue, { code: 'invalid_union' }>, value: unknown): Issue[] {
  const inner = issue.errors.filter((branch) =>
    branch.every((found) => found.path.length > 0 || found.code === 'unrecognized_keys'),
  )
  const isMap = typeof valueAt(value, issue.path.map(String)) === 'object'
  const branch = isMap ? inner[0] : undefined
  const rangeFaults = issue.errors.find((found) =>
    found.every(({ code }) => code === 'too_small' || code === 'too_big'),
  )
  const chosen = branch ?? rangeFaults
  if (!chosen)
    return [
      { ...issue, code: 'custom', params: {}, message: expectationOf(nodesAt(issue.path.map(String), value)) } as Issue,
    ]
  return chosen.map((found) => ({ ...found, path: [...issue.path, ...found.path] }))
}

/** The providers whose agents accept this key. */
function otherProvider(path: string[], value: unknown): string | undefined {
  if (path.length !== 3 || path[0] !== 'agents') return undefined
  const own = valueAt(value, [...path.slice(0, 2), 'provider'])
  const agent = configJsonSchema().properties?.agents?.additionalProperties
  const forms = typeof agent === 'object' ? (agent.oneOf ?? []) : []
  const having = forms.filter((form) => form.properties && Object.hasOwn(form.properties, path[2]!))
  const names = having.map((form) => String(form.properties?.provider?.const)).filter((name) => name !== own)
  return names.length > 0 ? names.join(', ') : undefined
}

/** The other paths at which a key of this name is valid. */
function placesOf(key: string): string[] {
  const places: string[] = []
  const walk = (node: SchemaNode, path: string[]) => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      if (name === key) places.push([...path, name].join('.'))
      walk(child, [...path, name])
    }
  }
  walk(configJsonSchema(), [])
  return places
}
