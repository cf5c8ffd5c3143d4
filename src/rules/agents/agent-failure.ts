/** Reads why a coding agent failed. Agents report their provider's errors as words, seldom as codes. SPEC.md § AG3. */

export type AgentFault =
  /** Not logged in, or the key is refused. */
  'login' | 'unknown-model' | 'out-of-credit' | 'rate-limited' | 'timeout' | 'unavailable'

/** The code with which an agent says that it needs a login. */
export const loginRequired = -32000

export function agentFault({ code, words }: { code?: number; words: string }): AgentFault {
  if (code === loginRequired) return 'login'
  for (const [fault, pattern] of patterns) if (pattern.test(words)) return fault
  return 'unavailable'
}

const patterns: readonly (readonly [AgentFault, RegExp])[] = [
  ['out-of-credit', /insufficient_quota|credit balance is too low|billing_hard_limit|\b402\b/i],
  ['rate-limited', /\b429\b|rate.?limit|too many requests|usage limit|quota exceeded|overloaded_error|\b529\b/i],
  [
    'login',
    /\b401\b|\b403\b|authentication (?:required|failed|error)|not logged in|unauthori[sz]ed|invalid (?:api|x-api) ?-?key|api key (?:is )?(?:missing|invalid|not (?:set|configured|valid))|missing (?:api key|environment variable)|please (?:log ?in|run \/login)/i,
  ],
  [
    'unknown-model',
    /model_not_found|(?:unknown|invalid|unsupported|no such) model|model\b[^.\n]{0,80}\b(?:not found|does not exist|is not (?:supported|available|a valid))/i,
  ],
  ['timeout', /timed? ?out|timeout|deadline exceeded/i],
]

/** How the program of an agent ended before it was ready. */
export interface FailedStart {
  words: string
  /** Null if a signal ended it, or if it never ran. */
  exitCode: number | null
  /** It did not end: it did not answer in time. */
  isSlow: boolean
  /** It has started before, as it is configured now. */
  hasWorked: boolean
}

export type StartFault = 'login' | 'timeout' | 'not-startable' | 'broken' | 'unavailable'

/** A program that gives up by itself and never worked would do the same at every attempt: only a person can fix it. */
export function startFault({ words, exitCode, isSlow, hasWorked }: FailedStart): StartFault {
  if (isSlow) return 'timeout'
  if (agentFault({ words }) === 'login') return 'login'
  if (exitCode === 126 || exitCode === 127) return 'not-startable'
  return exitCode === null || hasWorked ? 'unavailable' : 'broken'
}

/** A protocol version that both sides speak. */
export function isSpoken(version: unknown, ours: number): boolean {
  return version === ours
}

/** Whether a version is at least the oldest that works. A version that cannot be read is taken as new enough. */
export function isRecent(version: string | undefined, oldest: string): boolean {
  const parts = (text: string) => (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number)
  if (!version || !/\d/.test(version)) return true
  const [given, needed] = [parts(version), parts(oldest)]
  for (let at = 0; at < needed.length; at++) {
    const difference = (given[at] ?? 0) - needed[at]!
    if (difference !== 0) return difference > 0
  }
  return true
}
