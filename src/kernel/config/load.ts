/** Loads `convene.yaml`: finds it, validates every key, fills in the defaults. */
import { readFileSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import type { RetryPolicy } from '../ask/retry.ts'
import { ConveneError } from '../errors.ts'
import { type AgentConfig, hostedProviders } from './agents.ts'
import { overrideFromEnvironment, variableFor } from './environment.ts'
import { configFileName, findConfig } from './find.ts'
import { keysAt } from './json-schema.ts'
import { type ConfigProblem, namesVariable, type OriginOf, pastedSecret, problemsOf, unknownAgent } from './problems.ts'
import { type Config, configSchema } from './schema.ts'
import { holdsSecret } from './wording.ts'
import { nothing, readYaml, type YamlSource } from './yaml-source.ts'

export type { AgentConfig } from './agents.ts'
export type { Config } from './schema.ts'

type Environment = Record<string, string | undefined>

export interface LoadedConfig {
  config: Config
  /** Absent if there is no `convene.yaml`: every setting has its default. */
  file?: string
  /** The project's folder: that of the file. `.convene/` lives here. */
  folder: string
  /** The file's own values, without defaults and the environment's overrides: what the repository asks for. */
  written?: unknown
  /** The file as it was read. */
  text?: string
}

/** A configuration that cannot be used. The message names every problem; `path` is the first one's. */
export class ConfigError extends ConveneError {
  readonly problems: readonly ConfigProblem[]

  constructor(label: string, problems: readonly ConfigProblem[]) {
    const [first] = problems
    const all = problems.map((problem) => `\n  ${problem.message}`).join('')
    super('invalid_config', problems.length === 1 ? first!.message : `${problems.length} problems in ${label}:${all}`, {
      path: first?.path || undefined,
      expected: first?.expected,
    })
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Throws a `ConveneError` (exit code 2) that says what is wrong, where, and how to fix it. */
export function loadConfig({ folder, env }: { folder: string; env: Environment }): LoadedConfig {
  const place = findConfig(folder, env)
  if (place.file === undefined)
    return { config: parseConfig(undefined, { folder: place.folder, env }), folder: place.folder }
  const label = labelOf(place.file, resolve(folder))
  return configFromText(readText(place.file, label), { file: place.file, folder: place.folder, env, label })
}

/** The project as it is with this text in its file. */
export function configFromText(
  text: string,
  { file, folder, env, label = configFileName }: { file: string; folder: string; env: Environment; label?: string },
): LoadedConfig {
  return { config: parseConfig(text, { folder, env, label }), file, folder, text, written: sourceOf(text, label).value }
}

/** The configuration in a text. Paths in it become absolute, from `folder`. */
export function parseConfig(
  text: string | undefined,
  { folder, env, label = configFileName }: { folder: string; env: Environment; label?: string },
): Config {
  const source = text === undefined ? nothing : sourceOf(text, label)
  const { value, variables, problems } = overrideFromEnvironment(
    withoutEmpty(source.value ?? {}) as Record<string, unknown>,
    env,
  )
  const originOf = origins(source, variables, label)

  const parsed = configSchema.safeParse(value)
  if (!parsed.success) problems.push(...problemsOf(parsed.error.issues, value, originOf))
  if (parsed.success) problems.push(...secretsIn(value, originOf), ...strangersIn(parsed.data, originOf))
  if (problems.length > 0 || !parsed.success) throw new ConfigError(label, problems)
  return resolveAll(parsed.data, folder, env)
}

/** The environment variables that the configuration says hold secrets. */
export function secretVariables(config: Config): string[] {
  const keys = Object.values(config.agents).flatMap((agent) =>
    'api_key_env' in agent && agent.api_key_env ? [agent.api_key_env] : [],
  )
  const login = config.auth ? [config.auth.client_secret_env] : []
  return [...new Set([...keys, ...forgeSecrets(config), ...login])]
}

function forgeSecrets({ forge: { github } }: Config): string[] {
  return github ? [github.token_env, github.webhook_secret_env] : []
}

/** The retry policy for calls to an agent. Rehearsal agents have no retries unless their entry sets some. */
export function retryPolicyOf({ retry }: Config, agent: AgentConfig): RetryPolicy {
  return {
    retries: agent.retries ?? (agent.provider === 'rehearsal' ? 0 : retry.retries),
    baseMs: retry.first_wait_ms,
    maxMs: retry.longest_wait_ms,
    retryAfterCapMs: retry.longest_retry_after_ms,
  }
}

function readText(file: string, label: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'error'
    throw new ConveneError('invalid_config', `${label} cannot be read (${code}); check its permissions`, { cause })
  }
  if (bytes.length > 1_000_000)
    throw new ConveneError('invalid_config', `${label} is larger than 1 MB; is it the right file?`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ConveneError('invalid_config', `${label} is not UTF-8 text; save it as UTF-8`, { cause })
  }
}

function sourceOf(text: string, label: string): YamlSource {
  if (text.trim() === '') {
    throw new ConveneError(
      'invalid_config',
      `${label} is empty; delete it, or run 'convene init --force' to write a new one`,
    )
  }
  const reading = readYaml(text)
  if (!reading.ok) {
    const { message, line, column } = reading.fault
    const where = line === undefined ? label : `${label}:${line}:${column}`
    throw new ConveneError('invalid_config', `cannot read ${where}: ${message}`, { expected: 'YAML' })
  }
  const { value } = reading.source
  if (value === undefined || (typeof value === 'object' && !Array.isArray(value))) return reading.source
  const found = Array.isArray(value) ? "a list; remove the leading '-'" : 'a single value; write it as key: value'
  throw new ConveneError(
    'invalid_config',
    `${label}:1 must hold keys such as 'agents:', not ${found}, or run 'convene init --force'`,
    {
      expected: 'a map',
    },
  )
}

/**
 * Removes empty values (`room:` with all its lines commented out), but only of known keys: a mistyped key or an agent
 * without settings must still be refused.
 */
function withoutEmpty(value: unknown, whole = value, path: string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutEmpty(item, whole, [...path, String(index)]))
  if (typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).filter(([key, child]) => child !== null || !keysAt(path, whole).includes(key))
  return Object.fromEntries(given.map(([key, child]) => [key, withoutEmpty(child, whole, [...path, key])]))
}

function origins(source: YamlSource, variables: Map<string, string>, label: string): OriginOf {
  return (path) => {
    const dotted = path.join('.')
    const above = [...variables.keys()].filter((key) => dotted === key || dotted.startsWith(`${key}.`))
    const variable = variables.get(above.sort((a, b) => b.length - a.length)[0] ?? '')
    if (variable) return { where: `in the environment variable ${variable}`, variable, spell: variableFor }
    const line = source.lineOf(path)
    return { where: line === undefined ? `in ${label}` : `at ${label}:${line}`, spell: (other) => other.at(-1) ?? '' }
  }
}

/** Finds secrets that look like the name of a variable (`ghp_…`). */
function secretsIn(value: unknown, originOf: OriginOf, path: string[] = []): ConfigProblem[] {
  if (typeof value === 'string') return namesVariable(path) && holdsSecret(value) ? [pastedSecret(path, originOf)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => secretsIn(child, originOf, [...path, key]))
}

/** Roles that name an unknown agent. */
function strangersIn(config: Config, originOf: OriginOf): ConfigProblem[] {
  const agents = Object.keys(config.agents)
  return Object.entries(config.roles).flatMap(([role, names]) => {
    const listed = Array.isArray(names)
      ? names.map((name, index) => [name, String(index)] as const)
      : [[names, undefined] as const]
    return listed.flatMap(([name, index]) => {
      if (name === undefined || Object.hasOwn(config.agents, name)) return []
      return [unknownAgent(['roles', role, ...(index === undefined ? [] : [index])], name, agents, originOf)]
    })
  })
}

function resolveAll(config: Config, folder: string, env: Environment): Config {
  const agents = Object.entries(config.agents).map(([name, agent]) => {
    if (agent.provider === 'rehearsal') return [name, { ...agent, script: resolvePath(agent.script, folder, env) }]
    if (agent.provider === 'google') return [name, { ...agent, api_key_env: presentKey(agent.api_key_env, env) }]
    return [name, agent]
  })
  const { worktrees } = config.build
  return {
    ...config,
    agents: Object.fromEntries(agents),
    build: worktrees === undefined ? config.build : { ...config.build, worktrees: resolvePath(worktrees, folder, env) },
  }
}

function resolvePath(path: string, folder: string, env: Environment): string {
  if (isAbsolute(path)) return path
  if (/^~(?:[\\/]|$)/.test(path) && env.HOME) return join(env.HOME, path.slice(1))
  return resolve(folder, path)
}

/** Google's key has two usual names: uses the one that is set. */
function presentKey(chosen: string, env: Environment): string {
  const [usual, ...others] = hostedProviders.google.keys
  if (chosen !== usual || env[chosen]) return chosen
  return others.find((name) => env[name]) ?? chosen
}

/** The path relative to the working folder, unless that is longer. */
function labelOf(file: string, from: string): string {
  const short = relative(from, file)
  return short.startsWith(join('..', '..', '..')) ? file : short || basename(file)
}
