/** Reports what can be used here, what cannot, and the one line that fixes each. Changes nothing and asks nobody. */
import { programOf } from '../../agents/acp/program.ts'
import { connectAgents } from '../../agents/connect.ts'
import { examineCodingAgent } from '../../agents/detect/coding-agents.ts'
import { type Detection, detect, type Finding } from '../../agents/detect/detect.ts'
import { type Machine, thisMachine } from '../../agents/detect/machine.ts'
import { missingProgram } from '../../agents/detect/missing-program.ts'
import { projectCommands } from '../../build/project-commands.ts'
import { type SandboxReport, sandboxState } from '../../build/sandbox-state.ts'
import { type AgentConfig, ConfigError, type LoadedConfig, loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { MemoryLineBindings } from '../../kernel/stores/line-bindings.ts'
import type { ReaderVerdict } from '../../rules/evidence/reader-check.ts'

export interface AgentReport {
  name: string
  provider: string
  /** Which coding agent, by the name of its preset. */
  agent?: string
  version?: string
  /** `off`: installed, but not in convene.yaml. */
  state: 'ok' | 'missing' | 'login' | 'old' | 'off'
  detail: string
  fix?: string
}

export interface Check extends Finding {
  section: 'basics' | 'agents' | 'building' | 'more on this machine'
  /** Nothing works without it. */
  needed: boolean
}

export interface Diagnosis {
  /** The basics work and at least one configured agent can be asked. */
  ready: boolean
  agents: AgentReport[]
  checks: Check[]
}

type Environment = Record<string, string | undefined>

export interface DoctorOptions {
  folder: string
  env: Environment
  machine?: Machine
  sandbox?: (project: LoadedConfig) => Promise<SandboxReport>
  /** Runs the tests once and says whether their report can be read. Without it they are not run. */
  reader?: (project: LoadedConfig) => Promise<ReaderVerdict | undefined>
}

export async function doctor({
  folder,
  env,
  machine = thisMachine(env),
  sandbox = (project) => sandboxState(project, env),
  reader,
}: DoctorOptions): Promise<Diagnosis> {
  const { finding: configuration, loaded } = checkConfig(folder, env)
  const detection = await detect({ folder: loaded?.folder ?? folder, env, machine })
  const configured = loaded ? await checkAgents(loaded, env, machine) : []
  const checks: Check[] = [
    ...placed('basics', true, [detection.node, detection.git, configuration]),
    ...placed('basics', false, [detection.repository]),
    ...placed('agents', true, loaded && configured.length === 0 ? [noAgents(loaded, detection)] : []),
    ...placed('building', false, loaded ? await checkBuilding(loaded, detection, { machine, sandbox, reader }) : []),
    ...placed('more on this machine', false, detection.keys),
  ]
  const basicsWork = checks.every(({ needed, state }) => !needed || state === 'ok')
  const ready = basicsWork && configured.some(({ state }) => state === 'ok')
  return { ready, agents: [...configured, ...unused(detection, loaded)], checks }
}

function placed(section: Check['section'], needed: boolean, findings: readonly Finding[]): Check[] {
  return findings.map(({ name, state, detail, fix }) => ({ section, name, state, detail, ...(fix && { fix }), needed }))
}

function checkConfig(folder: string, env: Environment): { finding: Finding; loaded?: LoadedConfig } {
  const name = 'convene.yaml'
  try {
    const loaded = loadConfig({ folder, env })
    const detail = loaded.file ?? 'not there: every setting has its default'
    return { loaded, finding: { name, state: 'ok', detail, ...(loaded.file ? {} : { fix: 'convene init' }) } }
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    const problems = error instanceof ConfigError ? error.problems.map((problem) => problem.message) : [error.message]
    const [what, ...how] = problems[0]!.split('; ')
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    return {
      finding: { name, state: 'broken', detail: `${what}${more}`, fix: how.join('; ') || 'convene init --force' },
    }
  }
}

function checkAgents(loaded: LoadedConfig, env: Environment, machine: Machine): Promise<AgentReport[]> {
  return Promise.all(
    Object.entries(loaded.config.agents).map(async ([name, agent]) => ({
      name,
      provider: agent.provider,
      ...(agent.provider === 'acp'
        ? await checkCodingAgent(name, agent, loaded, machine)
        : checkAgent(name, agent, loaded, env)),
    })),
  )
}

/** A command of the user's own is only looked for: what it needs beyond that shows when it is asked. */
async function checkCodingAgent(
  name: string,
  settings: Extract<AgentConfig, { provider: 'acp' }>,
  { folder }: LoadedConfig,
  machine: Machine,
): Promise<Omit<AgentReport, 'name' | 'provider'>> {
  const { agent, command, env: added = {} } = settings
  if (agent && command === undefined) {
    const { title: _, ...found } = await examineCodingAgent(machineWith(machine, added), agent)
    return found
  }
  const { argv, missing } = programOf(settings, machine.env, folder)
  const about = { ...(agent ? { agent } : {}) }
  if (missing)
    return { ...about, state: 'missing', detail: `${missing} is not installed`, fix: `correct agents.${name}.command` }
  return { ...about, state: 'ok', detail: `runs ${argv.join(' ')}` }
}

function machineWith(machine: Machine, added: Record<string, string>): Machine {
  if (Object.keys(added).length === 0) return machine
  const env = { ...machine.env, ...added }
  return added.PATH === undefined ? { ...machine, env } : thisMachine(env)
}

function checkAgent(
  name: string,
  agent: Exclude<AgentConfig, { provider: 'acp' }>,
  { folder }: LoadedConfig,
  env: Environment,
): Pick<AgentReport, 'state' | 'detail' | 'fix'> {
  const about = [agent.provider, agent.model].filter(Boolean).join(' ')
  try {
    connectAgents({ [name]: agent }, { env, bindings: new MemoryLineBindings(), baseDir: folder })
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    return { state: 'missing', detail: error.message, fix: `correct agents.${name} in convene.yaml` }
  }
  if (agent.provider === 'rehearsal') return { state: 'ok', detail: `rehearsal: plays ${agent.script}` }
  const key = agent.api_key_env
  if (key === undefined)
    return { state: 'ok', detail: `${about} at ${agent.provider === 'a2a' ? agent.url : agent.base_url}` }
  if (!env[key]?.trim())
    return { state: 'missing', detail: `${about}: ${key} is not set`, fix: `export ${key}=<your key>` }
  return { state: 'ok', detail: `${about}, key in ${key}` }
}

function noAgents({ file }: LoadedConfig, { keys }: Detection): Finding {
  const hasKey = keys.some((key) => key.state === 'ok')
  const configure = file ? 'convene init --force' : 'convene init'
  return {
    name: 'agents',
    state: 'missing',
    detail: 'none configured: two built-in rehearsal agents play a script, and no model is asked',
    fix: hasKey ? configure : `export ${keys[0]!.variable}=<your key> && ${configure}`,
  }
}

/** Coding agents that are installed and that the configuration does not name. */
function unused({ codingAgents }: Detection, loaded: LoadedConfig | undefined): AgentReport[] {
  const named = Object.values(loaded?.config.agents ?? {}).map((each) => (each.provider === 'acp' ? each.agent : null))
  return codingAgents
    .filter(({ agent }) => !named.includes(agent))
    .map(({ agent, version, detail, state, fix }) => ({
      name: agent,
      provider: 'acp',
      agent,
      ...(version ? { version } : {}),
      state: 'off',
      detail: state === 'ok' ? `${detail} is installed, but not in convene.yaml` : detail,
      fix: state === 'ok' ? `write agents: {${agent}: {provider: acp, agent: ${agent}}} into convene.yaml` : fix,
    }))
}

/** The commands a build would run, and whether their programs are installed. */
function checkCommands({ config, folder }: LoadedConfig, { project }: Detection, machine: Machine): Finding {
  const name = 'commands'
  const commands = projectCommands(config.build, folder, machine)
  if (commands.test === undefined) {
    const detail = project.tool ? `a ${project.tool} project without a test command` : 'no test command found'
    return { name, state: 'missing', detail, fix: 'write build: {test: <command>} into convene.yaml' }
  }
  for (const [key, command] of Object.entries(commands)) {
    // The set-up command may create the programs that the others name by a relative path.
    const program = missingProgram(command, machine, commands.setup === undefined ? folder : undefined)
    if (program === undefined) continue
    const fix = program === project.needs?.program ? project.needs.fix : `install ${program}, or change build.${key}`
    return { name, state: 'broken', detail: `${key}: ${command}, but ${program} is not installed`, fix }
  }
  const listed = [commands.setup, commands.build, commands.test, commands.contract].filter(Boolean).join(' · ')
  return { name, state: 'ok', detail: config.build.test === undefined ? `${listed} (detected)` : listed }
}

async function checkBuilding(
  loaded: LoadedConfig,
  detection: Detection,
  { machine, sandbox, reader }: Pick<Required<DoctorOptions>, 'machine' | 'sandbox'> & Pick<DoctorOptions, 'reader'>,
): Promise<Finding[]> {
  const commands = checkCommands(loaded, detection, machine)
  const verdict = commands.state === 'ok' ? await reader?.(loaded) : undefined
  const state = { ok: 'ok', degraded: 'missing', broken: 'broken' } as const
  const tests = verdict && { name: 'tests', ...verdict, state: state[verdict.state] }
  return [commands, ...(tests ? [tests] : []), ...(await checkSandbox(loaded, sandbox))]
}

async function checkSandbox(
  project: LoadedConfig,
  probe: (project: LoadedConfig) => Promise<SandboxReport>,
): Promise<Finding[]> {
  const name = 'sandbox'
  const { available, kind, why, fix, reach } = await probe(project)
  const lines = Object.entries(reach ?? {}).map(
    ([what, detail]): Finding => ({ name: `commands ${what}`, state: 'ok', detail }),
  )
  if (project.config.build.sandbox === 'off') {
    const turnOn = 'write build: {sandbox: auto} into convene.yaml'
    const off: Finding = { name, state: 'missing', detail: 'turned off: commands run without a sandbox', fix: turnOn }
    return [off, ...lines.map((line): Finding => ({ ...line, state: 'missing' }))]
  }
  if (available) return [{ name, state: 'ok', detail: `${kind}, tested` }, ...lines]
  return [{ name, state: 'broken', detail: `${why}: builds wait until there is one`, fix }]
}
