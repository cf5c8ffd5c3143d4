/** Reports what can be used here, what cannot, and the one line that fixes each. Changes nothing and asks nobody. */
import { type AgentReport, configuredAgents, unusedCodingAgents } from '../../agents/detect/agent-reports.ts'
import { type Detection, detect, type Finding } from '../../agents/detect/detect.ts'
import { type Machine, thisMachine } from '../../agents/detect/machine.ts'
import { missingProgram } from '../../agents/detect/missing-program.ts'
import { projectCommands } from '../../build/project-commands.ts'
import { type SandboxReport, sandboxState } from '../../build/sandbox-state.ts'
import { ConfigError, type LoadedConfig, loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { trustStateOf } from '../../kernel/trust/trusted-reach.ts'
import type { ReaderVerdict } from '../../rules/evidence/reader-check.ts'

export interface Check extends Finding {
  section: 'basics' | 'agents' | 'building' | 'more on this machine'
  /** Nothing works without it. */
  needed: boolean
  /** Rooms and plans work, but no build starts. */
  stops_builds?: true
}

type BuildFinding = Finding & Pick<Check, 'stops_builds'>

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
  /** Called before each check that may take a while. */
  progress?: (line: string) => void
}

export async function doctor({
  folder,
  env,
  machine = thisMachine(env),
  sandbox = (project) => sandboxState(project, env),
  reader,
  progress = () => {},
}: DoctorOptions): Promise<Diagnosis> {
  progress('Looking for programs, keys and coding agents …')
  const { finding: configuration, loaded } = checkConfig(folder, env)
  const detection = await detect({ folder: loaded?.folder ?? folder, env, machine })
  const configured = loaded ? await configuredAgents(loaded, machine) : []
  const checks: Check[] = [
    ...placed('basics', true, [detection.node, detection.git, configuration]),
    ...placed('basics', true, loaded ? await checkDatabase(loaded, env) : []),
    ...placed('basics', false, [stoppingBuilds(detection.repository)]),
    ...placed('basics', true, loaded ? [checkTrust(loaded, env)] : []),
    ...placed('agents', true, loaded && configured.length === 0 ? [noAgents(loaded, detection)] : []),
    ...placed(
      'building',
      false,
      loaded ? await checkBuilding(loaded, detection, { machine, sandbox, reader, progress }) : [],
    ),
    ...placed('more on this machine', false, detection.keys),
  ]
  const basicsWork = checks.every(({ needed, state }) => !needed || state === 'ok')
  const ready = basicsWork && configured.some(({ state }) => state === 'ok')
  return { ready, agents: [...configured, ...unusedCodingAgents(detection.codingAgents, loaded)], checks }
}

function placed(section: Check['section'], needed: boolean, findings: readonly BuildFinding[]): Check[] {
  return findings.map(({ name, state, detail, fix, stops_builds }) => ({
    section,
    name,
    state,
    detail,
    ...(fix && { fix }),
    needed,
    ...(stops_builds && { stops_builds }),
  }))
}

function checkConfig(folder: string, env: Environment): { finding: Finding; loaded?: LoadedConfig } {
  const name = 'convene.yaml'
  try {
    const loaded = loadConfig({ folder, env })
    const detail = loaded.file ?? 'not found: every setting has its default'
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

/** A database that the repository names is not connected to before it is trusted. */
async function checkDatabase(loaded: LoadedConfig, env: Environment): Promise<Finding[]> {
  const { url, schema } = loaded.config.engine
  if (url === undefined || !trustStateOf(loaded, env).trusted) return []
  const name = 'database'
  const { examineDatabase } = await import('../../kernel/stores/postgres-connection.ts')
  try {
    const { shown, version, tls } = await examineDatabase(url)
    const detail = `Postgres ${version} at ${shown}, schema ${schema}, ${tls ? 'with' : 'without'} TLS`
    return [{ name, state: 'ok', detail }]
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    return [{ name, state: 'broken', detail: error.message, fix: 'correct engine.url or CONVENE_DATABASE_URL' }]
  }
}

/** TR4: without trust every command ends before it sends anything. */
function checkTrust(loaded: LoadedConfig, env: Environment): Finding {
  const { trusted, detail } = trustStateOf(loaded, env)
  return { name: 'trust', state: trusted ? 'ok' : 'broken', detail, ...(trusted ? {} : { fix: 'convene trust' }) }
}

function noAgents({ file }: LoadedConfig, { keys, codingAgents }: Detection): Finding {
  const hasSome = [...keys, ...codingAgents].some(({ state }) => state === 'ok')
  const configure = file ? 'convene init --force' : 'convene init'
  return {
    name: 'agents',
    state: 'missing',
    detail: 'none configured: two built-in rehearsal agents play a script, and no model is asked',
    fix: hasSome ? configure : `export ${keys[0]!.variable}=<your key> && ${configure}`,
  }
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
  {
    machine,
    sandbox,
    reader,
    progress,
  }: Pick<Required<DoctorOptions>, 'machine' | 'sandbox' | 'progress'> & Pick<DoctorOptions, 'reader'>,
): Promise<BuildFinding[]> {
  const commands = stoppingBuilds(checkCommands(loaded, detection, machine))
  const runsTests = commands.state === 'ok' && reader !== undefined
  if (runsTests) progress(`Running the tests once, on a clean checkout of the last commit: ${commands.detail} …`)
  const verdict = runsTests ? await reader(loaded) : undefined
  if (verdict) progress(`Tests: ${verdict.detail}`)
  progress('Trying the sandbox …')
  const state = { ok: 'ok', degraded: 'missing', broken: 'broken' } as const
  const tests = verdict && {
    name: 'tests',
    ...verdict,
    state: state[verdict.state],
    ...(verdict.blocks && { stops_builds: true as const }),
  }
  return [commands, ...(tests ? [tests] : []), ...(await checkSandbox(loaded, sandbox))]
}

/** What no build starts without. */
function stoppingBuilds(finding: Finding): BuildFinding {
  return finding.state === 'ok' ? finding : { ...finding, stops_builds: true }
}

async function checkSandbox(
  project: LoadedConfig,
  probe: (project: LoadedConfig) => Promise<SandboxReport>,
): Promise<BuildFinding[]> {
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
  return [stoppingBuilds({ name, state: 'broken', detail: `${why}: builds wait until there is one`, fix })]
}
