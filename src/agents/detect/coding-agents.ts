/** Finds the coding agents of this machine: whether each can be started, its version, and whether somebody is logged in. */
import { join } from 'node:path'
import { codingAgents } from '../../kernel/config/agents.ts'
import { isRecent } from '../../rules/agents/agent-failure.ts'
import { installLine } from '../acp/failure.ts'
import { type PresetName, presets } from '../acp/presets.ts'
import type { Machine } from './machine.ts'

export interface CodingAgentFinding {
  agent: PresetName
  title: string
  version?: string
  state: 'ok' | 'missing' | 'login' | 'old'
  detail: string
  /** The one line that fixes it. */
  fix?: string
}

/** Those that are installed, at least in part. */
export async function detectCodingAgents(machine: Machine): Promise<CodingAgentFinding[]> {
  const found = codingAgents.filter((agent) => {
    const { cli, argv } = presets[agent]
    return machine.find(cli) ?? machine.find(argv[0])
  })
  return Promise.all(found.map((agent) => examineCodingAgent(machine, agent)))
}

/** Never asks the agent's model, and starts no session. */
export async function examineCodingAgent(machine: Machine, agent: PresetName): Promise<CodingAgentFinding> {
  const { title, cli, argv, oldest, login, package: packageName, cliPackage } = presets[agent]
  const own = machine.find(cli)
  const speaking = machine.find(argv[0])
  const spoken = speaking && machine.versionIn(packageName, speaking)
  // Some take seconds to print their version.
  const known = own && (machine.versionIn(cliPackage, own) ?? (await toldVersion(machine, own)))
  const version = own ? known : spoken
  const about = { agent, title, ...(version ? { version } : {}) }
  const named = [title, version].filter(Boolean).join(' ')
  if (!speaking && !own)
    return { ...about, state: 'missing', detail: `${title} is not installed`, fix: installLine(agent) }
  const speaks = cli === argv[0] ? version : spoken
  if (speaks && !isRecent(speaks, oldest)) {
    const detail = speaks === version ? named : `${named}, ${argv[0]} ${speaks}`
    return { ...about, state: 'old', detail: `${detail}, but ${oldest} is needed`, fix: `${installLine(agent)}@latest` }
  }
  if (!isLoggedIn(machine, agent))
    return { ...about, state: 'login', detail: `${named}: nobody is logged in`, fix: login }
  if (speaking) return { ...about, state: 'ok', detail: named }
  // AG6: it can be asked, but without sessions and without questions to a person.
  return { ...about, state: 'ok', detail: `${named}, in its headless mode: no ${argv[0]}`, fix: installLine(agent) }
}

async function toldVersion(machine: Machine, program: string): Promise<string | undefined> {
  const answer = await machine.run(program, ['--version'])
  return answer.ok ? /\d+(?:\.\d+)+[\w.-]*/.exec(answer.output)?.[0] : undefined
}

/** Elsewhere than on Linux logins may lie in a keychain that cannot be looked into: they are taken to be there. */
function isLoggedIn({ env, platform, exists }: Machine, agent: PresetName): boolean {
  const { loginSigns } = presets[agent]
  if (!loginSigns || platform !== 'linux') return true
  if (loginSigns.variables.some((name) => env[name]?.trim())) return true
  return loginSigns.files.some((file) => {
    const [, variable, rest] = /^\$(\w+)(\/.*)$/.exec(file) ?? []
    const path = variable ? env[variable] && `${env[variable]}${rest}` : env.HOME && join(env.HOME, file)
    return path !== undefined && path !== '' && exists(path)
  })
}
