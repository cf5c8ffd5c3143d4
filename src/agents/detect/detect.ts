/** Says what is usable on this machine: keys, coding agents, git, sandbox, browser, the project's commands. No network. */
import { hostedProviders } from '../../kernel/config/agents.ts'
import { detectProject, type ProjectDetection } from './detect-project.ts'
import { type Machine, thisMachine } from './machine.ts'

export interface Finding {
  name: string
  state: 'ok' | 'missing' | 'broken'
  detail: string
  /** The one line that puts it right. */
  fix?: string
}

export interface KeyFinding extends Finding {
  provider: keyof typeof hostedProviders
  /** The variable that holds the key, or would. Never its value. */
  variable: string
}

export interface CodingAgentFinding extends Finding {
  /** The shell command that starts it as an agent, for `agents.<name>.command`. */
  command: string
}

export interface Detection {
  node: Finding
  git: Finding
  /** The repository that the folder is in, able to take commits. */
  repository: Finding
  keys: KeyFinding[]
  codingAgents: CodingAgentFinding[]
  sandbox: Finding
  browser: Finding
  project: ProjectDetection
}

export interface DetectOptions {
  folder: string
  env: Record<string, string | undefined>
  machine?: Machine
}

export async function detect({ folder, env, machine = thisMachine(env) }: DetectOptions): Promise<Detection> {
  const [git, repository, codingAgents, sandbox] = await Promise.all([
    detectGit(machine),
    detectRepository(machine, folder),
    Promise.all(knownAgents.map((agent) => detectCodingAgent(machine, agent))),
    detectSandbox(machine),
  ])
  return {
    node: detectNode(machine),
    git,
    repository,
    keys: providers.map((provider) => detectKey(machine, provider)),
    codingAgents,
    sandbox,
    browser: detectBrowser(machine),
    project: detectProject(machine, folder),
  }
}

function detectNode({ nodeVersion }: Machine): Finding {
  const fit = Number.parseInt(nodeVersion, 10) >= 24
  if (fit) return { name: 'Node', state: 'ok', detail: nodeVersion }
  return { name: 'Node', state: 'broken', detail: `${nodeVersion}, and 24 is needed`, fix: 'npm install -g node@24' }
}

const providers = Object.keys(hostedProviders) as (keyof typeof hostedProviders)[]

function detectKey({ env }: Machine, provider: keyof typeof hostedProviders): KeyFinding {
  const names: readonly string[] = hostedProviders[provider].keys
  const variable = names.find((name) => env[name]?.trim()) ?? names[0]!
  const about = { name: `${provider} key`, provider, variable }
  const value = env[variable]?.trim()
  if (!value)
    return {
      ...about,
      state: 'missing',
      detail: `${names.join(' or ')} is not set`,
      fix: `export ${variable}=<your key>`,
    }
  if (/\s/.test(value)) {
    return {
      ...about,
      state: 'broken',
      detail: `${variable} contains white space`,
      fix: `export ${variable}=<your key>`,
    }
  }
  return { ...about, state: 'ok', detail: `in ${variable}` }
}

interface KnownAgent {
  /** Its command, and its name here. */
  name: string
  title: string
  /** The npm package that brings it. */
  package: string
  /** The command by which it speaks the Agent Client Protocol: its own, or that of an adapter. */
  start: { command: string } | { adapter: string; package: string }
}

const knownAgents: KnownAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    start: { adapter: 'claude-agent-acp', package: '@agentclientprotocol/claude-agent-acp@0.99.1' },
  },
  {
    name: 'codex',
    title: 'Codex',
    package: '@openai/codex',
    start: { adapter: 'codex-acp', package: '@agentclientprotocol/codex-acp@2.6.0' },
  },
  { name: 'gemini', title: 'Gemini CLI', package: '@google/gemini-cli', start: { command: 'gemini --acp' } },
  { name: 'opencode', title: 'opencode', package: 'opencode-ai', start: { command: 'opencode acp' } },
]

async function detectCodingAgent(machine: Machine, agent: KnownAgent): Promise<CodingAgentFinding> {
  const about = { name: agent.name, command: startCommand(machine, agent) }
  const install = `npm install -g ${agent.package}`
  const program = machine.find(agent.name)
  if (!program) return { ...about, state: 'missing', detail: `${agent.title} is not on the PATH`, fix: install }
  const answer = await machine.run(program, ['--version'])
  if (!answer.ok) return { ...about, state: 'broken', detail: `${program} --version ${answer.reason}`, fix: install }
  return { ...about, state: 'ok', detail: `${agent.title} ${versionIn(answer.output)}`.trim() }
}

function startCommand(machine: Machine, { start }: KnownAgent): string {
  if ('command' in start) return start.command
  return machine.find(start.adapter) ? start.adapter : `npx --yes ${start.package}`
}

/** `git merge-tree --write-tree`, with which conflicts are forecast, came with 2.38. */
const oldestGit = [2, 38] as const

async function detectGit(machine: Machine): Promise<Finding> {
  const program = machine.find('git')
  if (!program)
    return { name: 'git', state: 'missing', detail: 'git is not on the PATH', fix: installLine(machine, ['git']) }
  const answer = await machine.run(program, ['--version'])
  if (!answer.ok)
    return {
      name: 'git',
      state: 'broken',
      detail: `git --version ${answer.reason}`,
      fix: installLine(machine, ['git']),
    }
  const version = versionIn(answer.output)
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < oldestGit[0] || (major === oldestGit[0] && minor < oldestGit[1])
  if (!isOld) return { name: 'git', state: 'ok', detail: version }
  return {
    name: 'git',
    state: 'broken',
    detail: `${version}, and ${oldestGit.join('.')} is needed`,
    fix: installLine(machine, ['git']),
  }
}

async function detectRepository(machine: Machine, folder: string): Promise<Finding> {
  const name = 'repository'
  const program = machine.find('git')
  if (!program)
    return { name, state: 'missing', detail: 'cannot be looked for without git', fix: installLine(machine, ['git']) }
  const git = (...args: string[]) => machine.run(program, args, { folder })
  const top = await git('rev-parse', '--show-toplevel')
  if (!top.ok && /dubious ownership/.test(top.output)) {
    return {
      name,
      state: 'broken',
      detail: 'it belongs to another user',
      fix: `git config --global --add safe.directory '${folder}'`,
    }
  }
  if (!top.ok) return { name, state: 'missing', detail: 'the folder is not in a git repository', fix: 'git init' }

  const [head, identity] = await Promise.all([
    git('rev-parse', '--verify', '--quiet', 'HEAD'),
    git('var', 'GIT_AUTHOR_IDENT'),
  ])
  if (!identity.ok) {
    return {
      name,
      state: 'broken',
      detail: 'git does not know who commits',
      fix: 'git config --global user.email you@example.org && git config --global user.name "Your Name"',
    }
  }
  if (!head.ok)
    return { name, state: 'broken', detail: 'it has no commit yet', fix: 'git commit --allow-empty -m "First commit"' }
  return { name, state: 'ok', detail: top.output.trim() }
}

async function detectSandbox(machine: Machine): Promise<Finding> {
  const tools = machine.platform === 'darwin' ? macTools : linuxTools
  const absent = tools.filter((tool) => !machine.find(tool.command))
  if (absent.length > 0) {
    return {
      name: 'sandbox',
      state: 'missing',
      detail: `${absent.map((tool) => tool.package).join(', ')} not found: commands run without a sandbox`,
      fix: installLine(
        machine,
        absent.map((tool) => tool.package),
      ),
    }
  }
  const bubblewrap = machine.platform === 'darwin' ? undefined : machine.find('bwrap')
  if (!bubblewrap) return { name: 'sandbox', state: 'ok', detail: tools.map((tool) => tool.package).join(', ') }
  const answer = await machine.run(bubblewrap, [
    '--ro-bind',
    '/',
    '/',
    '--unshare-net',
    '--',
    machine.find('true') ?? '/bin/true',
  ])
  if (answer.ok) return { name: 'sandbox', state: 'ok', detail: tools.map((tool) => tool.package).join(', ') }
  return {
    name: 'sandbox',
    state: 'broken',
    detail: `bubblewrap may not make namespaces here (${firstLine(answer.output) || answer.reason})`,
    fix: 'sudo sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0',
  }
}

const linuxTools = [
  { command: 'bwrap', package: 'bubblewrap' },
  { command: 'socat', package: 'socat' },
  { command: 'rg', package: 'ripgrep' },
]
const macTools = [
  { command: 'sandbox-exec', package: 'sandbox-exec' },
  { command: 'rg', package: 'ripgrep' },
]

const browserCommands = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'brave-browser',
]
const macBrowsers = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

/** A browser is looked for, not started: that takes seconds. */
function detectBrowser(machine: Machine): Finding {
  const named = machine.env.CHROME_PATH?.trim()
  if (named && !machine.exists(named)) {
    return {
      name: 'browser',
      state: 'broken',
      detail: 'CHROME_PATH names a file that does not exist',
      fix: 'unset CHROME_PATH',
    }
  }
  const onPath = browserCommands.map((command) => machine.find(command)).find((path) => path !== undefined)
  const found =
    named || onPath || (machine.platform === 'darwin' ? macBrowsers.find((path) => machine.exists(path)) : undefined)
  if (found) return { name: 'browser', state: 'ok', detail: found }
  return {
    name: 'browser',
    state: 'missing',
    detail: 'no Chromium or Chrome on the PATH',
    fix: installLine(machine, ['chromium']),
  }
}

const installers = [
  { command: 'apt-get', line: 'apt-get install -y' },
  { command: 'dnf', line: 'dnf install -y' },
  { command: 'pacman', line: 'pacman -S --noconfirm' },
  { command: 'zypper', line: 'zypper install -y' },
  { command: 'apk', line: 'apk add' },
]

function installLine(machine: Machine, packages: string[]): string {
  if (machine.find('brew') || machine.platform === 'darwin') return `brew install ${packages.join(' ')}`
  const installer = installers.find(({ command }) => machine.find(command)) ?? installers[0]!
  return `${machine.isRoot ? '' : 'sudo '}${installer.line} ${packages.join(' ')}`
}

function versionIn(output: string): string {
  return /\d+(?:\.\d+)+[\w.-]*/.exec(output)?.[0] ?? ''
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]!.slice(0, 120)
}
