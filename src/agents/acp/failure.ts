/** Turns what went wrong with a coding agent into a failure that says how to fix it. */
import type { AgentFailure, FailureReason } from '../../kernel/agent.ts'
import { redactShapes } from '../../kernel/redaction/redact.ts'
import { agentFault, startFault } from '../../rules/agents/agent-failure.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { type PresetName, presets } from './presets.ts'
import { StartFailed } from './start-failed.ts'

export interface FailingCodingAgent {
  name: string
  agent?: PresetName
  model?: string
}

export function failureOf(
  agent: FailingCodingAgent,
  reason: FailureReason,
  what: string,
  retryable = reason !== 'refused',
): AgentFailure {
  const title = agent.agent ? ` (${presets[agent.agent].title})` : ''
  return { reason, message: redactShapes(`agent "${agent.name}"${title} ${what}`), retryable }
}

/** Only a person can fix it: no attempt is spent. */
export function configurationFailure(
  agent: FailingCodingAgent,
  what: string,
  fix: string,
  lacks?: AgentFailure['lacks'],
): AgentFailure {
  return { ...failureOf(agent, 'refused', `${what}; ${fix}`), configuration: true, ...(lacks ? { lacks } : {}) }
}

export function missingProgram(agent: FailingCodingAgent, program: string): AgentFailure {
  const fix = agent.agent
    ? `run: ${installLine(agent.agent)}`
    : `install it, or correct agents.${agent.name}.command in convene.yaml`
  return configurationFailure(agent, `needs the program ${program}, which is not installed`, fix, 'program')
}

export function installLine(agent: PresetName): string {
  return `npm install -g ${presets[agent].package}`
}

export function tooOld(agent: FailingCodingAgent, version: string, needed: string): AgentFailure {
  const fix = agent.agent ? `run: ${installLine(agent.agent)}@latest` : 'update it'
  return configurationFailure(agent, `is too old (${version}; ${needed} is needed)`, fix, 'version')
}

export function otherProtocol(agent: FailingCodingAgent, theirs: unknown, ours: number): AgentFailure {
  const fix = agent.agent ? `run: ${installLine(agent.agent)}@latest` : 'update it, or update Convene'
  return configurationFailure(
    agent,
    `speaks version ${theirs} of the agent client protocol, Convene ${ours}`,
    fix,
    'version',
  )
}

export function notLoggedIn(agent: FailingCodingAgent, words: string): AgentFailure {
  const said = words ? ` (${words})` : ''
  const fix = agent.agent ? `run: ${presets[agent.agent].login}` : 'log in with its own command'
  return configurationFailure(agent, `is not logged in${said}`, fix, 'login')
}

export interface FailureMoment {
  /** The agent was at work when it happened. */
  isBegun: boolean
  /** The last words of the process. */
  stderr: string
  /** The agent's program has started before. */
  hasWorked: boolean
}

export function failureFrom(
  error: unknown,
  agent: FailingCodingAgent,
  { isBegun, stderr, hasWorked }: FailureMoment,
): AgentFailure {
  if (error instanceof StartFailed) return startFailure(error, agent, hasWorked)
  const { code, words } = detailsOf(error)
  if (code !== undefined) return failureByWords(agent, words, code)
  const said = tail(stderr.split('\n').slice(-3).join(' '))
  if (isBegun) return failureOf(agent, 'disconnect', `ended in the middle of its work${said}`)
  return notAsked(agent, 'disconnect', `ended before it began to work${said}`)
}

/** It got no work yet, so no attempt is spent: if retries do not help, the run parks. */
function notAsked(agent: FailingCodingAgent, reason: FailureReason, what: string): AgentFailure {
  const hint = 'continue with convene resume'
  return { ...failureOf(agent, reason, `${what}; ${hint}`), configuration: true }
}

/** What an agent says of its provider's refusal, as an error or as text. */
export function failureByWords(agent: FailingCodingAgent, words: string, code?: number): AgentFailure {
  const short = oneLine(words, 300)
  switch (agentFault({ code, words })) {
    case 'login':
      return notLoggedIn(agent, short)
    case 'unknown-model':
      return configurationFailure(
        agent,
        `cannot use its model: ${short}`,
        `correct agents.${agent.name}.model in convene.yaml`,
      )
    case 'out-of-credit':
      return { ...failureOf(agent, 'rate-limited', `has no credit left: ${short}`, false), configuration: true }
    case 'rate-limited':
      return failureOf(agent, 'rate-limited', `was rate-limited: ${short}`)
    case 'timeout':
      return failureOf(agent, 'timeout', `did not answer in time: ${short}`)
    case 'unavailable':
      return failureOf(agent, 'unavailable', `failed: ${short}`)
  }
}

function startFailure(
  { message, exitCode, isSlow }: StartFailed,
  agent: FailingCodingAgent,
  hasWorked: boolean,
): AgentFailure {
  const said = oneLine(message.split('\n').slice(-4).join(' '), 300)
  const ended = exitCode === null ? `did not start: ${said}` : `ended with ${exitCode} before it was ready: ${said}`
  switch (startFault({ words: message, exitCode, isSlow, hasWorked })) {
    case 'timeout':
      return notAsked(agent, 'timeout', `did not start: ${message}`)
    case 'login':
      return notLoggedIn(agent, said)
    case 'not-startable':
      return configurationFailure(agent, `cannot be started: ${said}`, installFix(agent), 'program')
    case 'broken':
      return configurationFailure(agent, ended, installFix(agent), 'program')
    case 'unavailable':
      return notAsked(agent, 'unavailable', ended)
  }
}

function installFix({ name, agent }: FailingCodingAgent): string {
  return agent ? `run: ${installLine(agent)}@latest` : `correct agents.${name}.command in convene.yaml`
}

interface ErrorDetails {
  /** The code of the agent's own answer; absent if it gave none. */
  code?: number
  words: string
}

function detailsOf(error: unknown): ErrorDetails {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  const more = typeof data === 'string' ? data : data === undefined || data === null ? '' : JSON.stringify(data)
  const words = [typeof message === 'string' ? message : String(error), more].filter(Boolean).join(': ')
  return { ...(typeof code === 'number' ? { code } : {}), words }
}

const tail = (words: string) => (words ? `: ${oneLine(words, 200)}` : '')
