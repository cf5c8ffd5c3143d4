/** The agents and roles of `convene.yaml`, as the settings page shows and changes them. */
import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { presets } from '../agents/acp/presets.ts'
import { type AgentReport, configuredAgents, unusedCodingAgents } from '../agents/detect/agent-reports.ts'
import { detectCodingAgents } from '../agents/detect/coding-agents.ts'
import { detectKeys } from '../agents/detect/detect.ts'
import { type AgentEntry, codingEntry, modelEntry } from '../agents/detect/first-agents.ts'
import { type Machine, thisMachine } from '../agents/detect/machine.ts'
import { type KnownVersions, rememberingMachine } from '../agents/detect/remembering-machine.ts'
import { costOfTrying, tryAgents } from '../agents/detect/try-agents.ts'
import { codingAgents, hostedProviders, rolesSchema } from '../kernel/config/agents.ts'
import { type ConfigEdit, editConfigText } from '../kernel/config/edit.ts'
import { configFileName } from '../kernel/config/find.ts'
import { type AgentConfig, type Config, configFromText, type LoadedConfig, loadConfig } from '../kernel/config/load.ts'
import { ConveneError } from '../kernel/errors.ts'
import { isTrusted, requireTrust, trust } from '../kernel/trust/trusted-reach.ts'
import { type Candidate, firstRoles } from '../rules/agents/first-roles.ts'

export interface AgentState {
  name: string
  provider: string
  agent?: string
  title?: string
  model?: string
  version?: string
  /** `off`: on this machine, but not in the configuration. */
  state: AgentReport['state']
  detail: string
  fix?: string
  /** What trying it costs; absent if it cannot be asked. */
  cost?: string
  /** Connects it. */
  connect?: string
}

export interface RoleState {
  role: string
  /** What the agent of this role does. */
  about: string
  /** Null: Convene picks one. */
  agent: string | null
}

export interface SettingsView {
  file: string
  /** The file was changed since Convene started: a restart uses it. */
  restart: boolean
  agents: AgentState[]
  roles: RoleState[]
  /** Who would do what by the rule for new projects (AG7). */
  suggested: Record<string, string>
}

/** Roles that one agent has. Panels and reviewers of plans are lists, which stay in the file. */
const singleRoles = Object.entries(rolesSchema.shape).flatMap(([role, schema]) =>
  role === 'panel' || role === 'reviewers' ? [] : [{ role, about: sentence(schema.description ?? '') }],
)

/** "The agent that writes the code." says in a list of roles no more than "Writes the code." */
function sentence(description: string): string {
  const what = description.replace(/^The agent that /, '')
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}`
}

export class AgentSettings {
  readonly #started: LoadedConfig
  readonly #env: NodeJS.ProcessEnv
  readonly #machine: () => Machine

  constructor(
    started: LoadedConfig,
    env: NodeJS.ProcessEnv,
    { machine = () => thisMachine(env) }: { machine?: () => Machine } = {},
  ) {
    this.#started = started
    this.#env = env
    const known: KnownVersions = new Map()
    this.#machine = () => rememberingMachine(machine(), known)
  }

  async describe(): Promise<SettingsView> {
    const project = this.#load()
    const machine = this.#machine()
    const [configured, coding] = await Promise.all([configuredAgents(project, machine), detectCodingAgents(machine)])
    const { agents, roles } = project.config
    const known = unusedCodingAgents(coding, project).map((report) => {
      const isReady = coding.some(({ agent, state }) => agent === report.agent && state === 'ok')
      return { ...described(report), ...(isReady ? { connect: report.agent! } : {}) }
    })
    return {
      file: configFileName,
      restart: JSON.stringify(project.written) !== JSON.stringify(this.#started.written),
      agents: [
        ...configured.map((report) => {
          const cost = costOfTrying([report], project)
          return { ...described(report, agents[report.name]), ...(cost ? { cost } : {}) }
        }),
        ...known,
        ...unusedKeys(machine, project.config),
      ],
      roles: singleRoles.map(({ role, about }) => {
        const agent = roles[role as keyof Config['roles']]
        return { role, about, agent: typeof agent === 'string' ? agent : null }
      }),
      suggested: { ...firstRoles(candidatesOf(project.config)) },
    }
  }

  /** Adds an agent that was found: the name of a coding agent, or of a provider whose key is set. */
  async connect(id: string): Promise<SettingsView> {
    this.#loadTrusted()
    const { name, settings } = await this.#entryFor(id)
    // Finding it took a while: what the file says by now counts.
    this.#write(({ config }) => {
      const taken = Object.keys(config.agents)
      const free = [name, ...Array.from({ length: taken.length }, (_, index) => `${name}-${index + 2}`)]
      return [{ path: ['agents', free.find((each) => !taken.includes(each))!], value: settings }]
    })
    return this.describe()
  }

  /** Null leaves a role to Convene. */
  async assign(roles: Readonly<Record<string, string | null>>): Promise<SettingsView> {
    const edits = Object.entries(roles).map(([role, agent]): ConfigEdit => {
      if (!singleRoles.some((each) => each.role === role))
        throw new ConveneError('unknown_role', `there is no role '${role}'`, {
          path: `roles.${role}`,
          expected: singleRoles.map((each) => each.role).join(' | '),
        })
      return { path: ['roles', role], value: agent ?? undefined }
    })
    this.#write(() => edits)
    return this.describe()
  }

  /** Asks the agent one tiny question, as the file configures it now. */
  async try(name: string, signal: AbortSignal): Promise<AgentState> {
    const project = this.#loadTrusted()
    const settings = project.config.agents[name]
    if (!settings) throw new ConveneError('unknown_agent', `there is no agent '${name}'`, { status: 404 })
    const only = { ...project, config: { ...project.config, agents: { [name]: settings } } }
    const reports = await configuredAgents(only, this.#machine())
    const [tried] = await tryAgents(only, this.#env, reports, { signal }).catch((error) => {
      if (signal.aborted) throw new ConveneError('stopped', 'nobody waits for the answer any more', { status: 409 })
      throw error
    })
    return described(tried!, settings)
  }

  #load(): LoadedConfig {
    return loadConfig({ folder: this.#started.folder, env: this.#env })
  }

  /** Somebody else may have changed the file since: what nobody trusted is neither used nor written along. */
  #loadTrusted(): LoadedConfig {
    const project = this.#load()
    requireTrust(project, this.#env)
    return project
  }

  async #entryFor(id: string): Promise<AgentEntry> {
    const machine = this.#machine()
    const coding = codingAgents.find((agent) => agent === id)
    if (coding) {
      const found = (await detectCodingAgents(machine)).find(({ agent }) => agent === coding)
      if (found?.state === 'ok') return codingEntry(coding)
      const why = found ? `${found.detail}; ${found.fix}` : `${presets[coding].title} is not on this machine`
      throw new ConveneError('not_ready', why, { status: 409 })
    }
    const key = detectKeys(machine).find(({ provider }) => provider === id)
    if (key?.state === 'ok') return modelEntry(key)
    if (key) throw new ConveneError('not_ready', `${key.detail}; ${key.fix}`, { status: 409 })
    const expected = [...codingAgents, ...Object.keys(hostedProviders)].join(' | ')
    throw new ConveneError('unknown_agent', `there is no agent '${id}' to connect`, { path: 'connect', expected })
  }

  /** Reads, edits and writes without a pause. Trusts the text that it wrote, whatever the file holds by then. */
  #write(editsFor: (project: LoadedConfig) => ConfigEdit[]): void {
    const project = this.#loadTrusted()
    const { folder, file = join(folder, configFileName) } = project
    const text = editConfigText(project.text ?? '', editsFor(project))
    // A change that makes the file unusable is refused before it is written.
    const edited = configFromText(text, { folder, file, env: this.#env })
    // Trust for one command (CONVENE_TRUST) does not become lasting trust.
    const isLasting = isTrusted(project, { ...this.#env, CONVENE_TRUST: undefined })
    replaceFile(file, text)
    if (isLasting) trust(edited, this.#env)
  }
}

/** In one piece: a crash leaves the old file or the new one. */
function replaceFile(path: string, text: string): void {
  const file = existsSync(path) ? realpathSync(path) : path
  const draft = join(dirname(file), `.${randomUUID()}.convene.yaml`)
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: existsSync(file) ? statSync(file).mode & 0o777 : 0o644 })
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    const code = (cause as NodeJS.ErrnoException).code ?? 'error'
    throw new ConveneError('cannot_write', `${file} cannot be written (${code}); check its permissions`, {
      cause,
      status: 409,
    })
  }
}

function described(report: AgentReport, settings?: AgentConfig): AgentState {
  const { name, provider, agent, version, state, detail, fix } = report
  const preset = codingAgents.find((each) => each === agent)
  return {
    name,
    provider,
    ...(agent ? { agent } : {}),
    ...(preset ? { title: presets[preset].title } : {}),
    ...(settings?.model ? { model: settings.model } : {}),
    ...(version ? { version } : {}),
    state,
    detail,
    ...(fix ? { fix } : {}),
  }
}

/** Providers whose key is set and that no agent of the configuration uses. */
function unusedKeys(machine: Machine, { agents }: Config): AgentState[] {
  const used = Object.values(agents).map(({ provider }) => provider)
  return detectKeys(machine)
    .filter(({ state, provider }) => state === 'ok' && !used.includes(provider))
    .map((key) => {
      const { name, settings } = modelEntry(key)
      const detail = `key in ${key.variable}, but not in ${configFileName}`
      return {
        name,
        provider: key.provider,
        model: String(settings.model),
        state: 'off',
        detail,
        connect: key.provider,
      }
    })
}

function candidatesOf({ agents }: Config): Candidate[] {
  return Object.entries(agents).flatMap(([name, agent]): Candidate[] => {
    if (agent.helper || agent.provider === 'rehearsal') return []
    if (agent.provider !== 'acp') return [{ name, kind: 'model', vendor: agent.provider }]
    return [{ name, kind: 'coding', vendor: agent.agent ? presets[agent.agent].vendor : name }]
  })
}
