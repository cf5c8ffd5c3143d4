/** Finds what this machine offers: keys, coding agents, git, the project's commands. Uses no network. */
import { hostedProviders } from '../../kernel/config/agents.ts'
import { type CodingAgentFinding, detectCodingAgents } from './coding-agents.ts'
import { detectProject, type ProjectDetection } from './detect-project.ts'
import { type Machine, thisMachine } from './machine.ts'

export interface Finding {
  name: string
  state: 'ok' | 'missing' | 'broken'
  detail: string
  /** The one line that fixes it. */
  fix?: string
}

export interface KeyFinding extends Finding {
  provider: keyof typeof hostedProviders
  /** The variable that holds or should hold the key. Never its value. */
  variable: string
}

export interface Detection {
  node: Finding
  git: Finding
  /** The repository of the folder, and whether it can take commits. */
  repository: Finding
  keys: KeyFinding[]
  codingAgents: CodingAgentFinding[]
  project: ProjectDetection
}

export interface DetectOptions {
  folder: string
  env: Record<string, string | undefined>
  machine?: Machine
}

export async function detect({ folder, env, machine = thisMachine(env) }: DetectOptions): Promise<Detection> {
  const [node, git, repository, codingAgents] = await Promise.all([
    detectNode(machine, folder),
    detectGit(machine),
    detectRepository(machine, folder),
    detectCodingAgents(machine),
  ])
  return {
    node,
    git,
    repository,
    keys: detectKeys(machine),
    codingAgents,
    project: detectProject(machine, folder),
  }
}

/** Convene may bring its own Node; the project's commands run on the one of the PATH, where a version manager may go by the folder. */
async function detectNode(machine: Machine, folder: string): Promise<Finding> {
  const { nodeVersion } = machine
  const program = machine.find('node')
  const answer = program === undefined ? undefined : await machine.run(program, ['--version'], { folder })
  const version = (answer?.ok && versionIn(answer.output)) || nodeVersion
  const detail = version === nodeVersion ? version : `${nodeVersion} runs Convene; your commands run on ${version}`
  const fit = Number.parseInt(nodeVersion, 10) >= 24
  if (fit) return { name: 'Node', state: 'ok', detail }
  return {
    name: 'Node',
    state: 'broken',
    detail: `${nodeVersion}, but Convene needs 24`,
    fix: 'npm install -g node@24',
  }
}

const providers = Object.keys(hostedProviders) as (keyof typeof hostedProviders)[]

/** Which providers have a key in the environment. */
export function detectKeys(machine: Machine): KeyFinding[] {
  return providers.map((provider) => detectKey(machine, provider))
}

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

/** The first git with `git merge-tree --write-tree`, which forecasts conflicts. */
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
    detail: `${version}, but Convene needs ${oldestGit.join('.')}`,
    fix: installLine(machine, ['git']),
  }
}

async function detectRepository(machine: Machine, folder: string): Promise<Finding> {
  const name = 'repository'
  const program = machine.find('git')
  if (!program)
    return { name, state: 'missing', detail: 'cannot be checked without git', fix: installLine(machine, ['git']) }
  const git = (...args: string[]) => machine.run(program, args, { folder })
  const top = await git('rev-parse', '--show-toplevel')
  if (!top.ok && /dubious ownership/.test(top.output)) {
    return {
      name,
      state: 'broken',
      detail: 'the repository belongs to another user',
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
      detail: 'git has no name and email for commits',
      fix: 'git config --global user.email you@example.org && git config --global user.name "Your Name"',
    }
  }
  if (!head.ok)
    return {
      name,
      state: 'broken',
      detail: 'the repository has no commit yet',
      fix: 'git commit --allow-empty -m "First commit"',
    }
  return { name, state: 'ok', detail: top.output.trim() }
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
