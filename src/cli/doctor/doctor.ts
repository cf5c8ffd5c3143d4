/** Says what is usable here, what is not, and the one line that fixes it. Changes nothing. */
import { connectAgents } from '../../agents/connect.ts'
import { type Detection, detect, type Finding } from '../../agents/detect/detect.ts'
import { type Machine, thisMachine } from '../../agents/detect/machine.ts'
import { type AgentConfig, ConfigError, type LoadedConfig, loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { MemoryLineBindings } from '../../kernel/stores/line-bindings.ts'

export const sections = ['basics', 'agents', 'building', 'more on this machine'] as const

export interface DoctorFinding extends Finding {
  section: (typeof sections)[number]
  /** Without it nothing works. */
  needed: boolean
}

export interface Diagnosis {
  findings: DoctorFinding[]
  usable: boolean
}

type Environment = Record<string, string | undefined>

export interface DoctorOptions {
  folder: string
  env: Environment
  machine?: Machine
}

export async function doctor({ folder, env, machine = thisMachine(env) }: DoctorOptions): Promise<Diagnosis> {
  const configuration = checkConfig(folder, env)
  const detection = await detect({ folder: configuration.loaded?.folder ?? folder, env, machine })
  const agents = configuration.loaded ? checkAgents(configuration.loaded, env, machine) : []
  const findings: DoctorFinding[] = [
    ...placed('basics', true, [detection.node, detection.git, configuration.finding]),
    ...placed('basics', false, [detection.repository, ...checkDatabase(env, configuration.loaded)]),
    ...agents,
    ...placed('building', false, [
      checkCommands(detection, configuration.loaded),
      detection.sandbox,
      detection.browser,
    ]),
    ...placed('more on this machine', false, [...detection.keys, ...detection.codingAgents]),
  ]
  const someoneAnswers = agents.some((agent) => agent.state === 'ok') || agents.every((agent) => !agent.needed)
  return { findings, usable: someoneAnswers && basicsWork(findings) }
}

function basicsWork(findings: readonly DoctorFinding[]): boolean {
  return findings.every((finding) => !finding.needed || finding.section !== 'basics' || finding.state === 'ok')
}

function placed(section: DoctorFinding['section'], needed: boolean, findings: readonly Finding[]): DoctorFinding[] {
  return findings.map(({ name, state, detail, fix }) => ({ section, name, state, detail, ...(fix && { fix }), needed }))
}

function checkConfig(folder: string, env: Environment): { finding: Finding; loaded?: LoadedConfig } {
  const name = 'convene.yaml'
  try {
    const loaded = loadConfig({ folder, env })
    const detail = loaded.file ?? 'none: everything is at its default'
    return { loaded, finding: { name, state: 'ok', detail, ...(loaded.file ? {} : { fix: 'convene init' }) } }
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    const faults = error instanceof ConfigError ? error.problems.map((problem) => problem.message) : [error.message]
    const [what, ...how] = faults[0]!.split('; ')
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    return {
      finding: { name, state: 'broken', detail: `${what}${more}`, fix: how.join('; ') || 'convene init --force' },
    }
  }
}

function checkAgents(loaded: LoadedConfig, env: Environment, machine: Machine): DoctorFinding[] {
  const agents = Object.entries(loaded.config.agents)
  if (agents.length === 0) {
    const detail = 'none configured: two agents rehearse a script, and no model is asked'
    return placed('agents', false, [{ name: 'agents', state: 'missing', detail, fix: 'convene init' }])
  }
  return placed(
    'agents',
    true,
    agents.map(([name, agent]) => checkAgent(name, agent, loaded, env, machine)),
  )
}

function checkAgent(
  name: string,
  agent: AgentConfig,
  { folder }: LoadedConfig,
  env: Environment,
  machine: Machine,
): Finding {
  const about = [agent.provider, agent.model].filter(Boolean).join(' ')
  try {
    connectAgents({ [name]: agent }, { env, bindings: new MemoryLineBindings(), baseDir: folder })
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    return { name, state: 'broken', detail: error.message, fix: `correct agents.${name} in convene.yaml` }
  }
  if (agent.provider === 'rehearsal') return { name, state: 'ok', detail: `rehearsal: plays ${agent.script}` }
  if (agent.provider === 'acp') return checkCommand(name, agent.command, machine)
  const key = agent.api_key_env
  if (key === undefined) return { name, state: 'ok', detail: `${about} at ${agent.base_url}` }
  if (!env[key]?.trim())
    return { name, state: 'broken', detail: `${about}: ${key} is not set`, fix: `export ${key}=<your key>` }
  return { name, state: 'ok', detail: `${about}, key in ${key}` }
}

/** The program a shell command starts: its first word that sets no variable. */
function checkCommand(name: string, command: string, machine: Machine): Finding {
  const program = command.split(/\s+/).find((word) => word !== '' && !/^\w+=/.test(word)) ?? command
  const found = program.includes('/') ? machine.exists(program) : machine.find(program) !== undefined
  if (found) return { name, state: 'ok', detail: `coding agent: ${command}` }
  return {
    name,
    state: 'broken',
    detail: `${program} is not on the PATH`,
    fix: `install ${program}, or correct agents.${name}.command`,
  }
}

/** What the configuration says goes before what was found. */
function checkCommands({ project }: Detection, loaded: LoadedConfig | undefined): Finding {
  const { setup, build, test } = loaded?.config.build ?? {}
  const commands = [setup, build, test].filter((command) => command !== undefined)
  if (test) return { name: 'commands', state: 'ok', detail: commands.join(' · ') }
  if (project.test && loaded) {
    const fix = loaded.file ? `write build: {test: ${project.test}} into convene.yaml` : 'convene init'
    return { name: 'commands', state: 'missing', detail: `no test command configured, ${project.tool} found`, fix }
  }
  return { ...project, name: 'commands' }
}

function checkDatabase(env: Environment, loaded: LoadedConfig | undefined): Finding[] {
  const url = env.DATABASE_URL?.trim()
  if (loaded?.config.engine.url) {
    const source = loaded.config.engine.url === url ? 'DATABASE_URL' : 'engine.url'
    return [{ name: 'database', state: 'ok', detail: `Postgres, from ${source}` }]
  }
  if (!url) return []
  return [
    {
      name: 'database',
      state: 'ok',
      detail: 'DATABASE_URL is not Postgres and is left alone: state is kept in .convene/',
    },
  ]
}
