/** Turns what a message asks for into a decision. Needs no proposals; where there are some, they order the agents. SPEC.md § DP9. */
import { byCodeUnit, firstByName } from '../text/by-code-unit.ts'
import { oneLine } from '../text/one-line.ts'
import { type Contender, overlapOf } from './contender.ts'
import type { DispatchDecision, DispatchMode, WordingRule } from './dispatch-decision.ts'
import type { Wish } from './wording/wish.ts'

export interface Candidates {
  agents: readonly string[]
  /** Those with a proposal, the most confident first. */
  ranked: readonly Contender[]
  /** The senders of the earlier lines, oldest first. */
  spoke: readonly string[]
}

/** Undefined where nobody is left to do what the message asks. */
export function byWording(
  wish: Wish,
  candidates: Candidates,
  { max_responders }: { max_responders: number },
): DispatchDecision | undefined {
  const chosen = chosenBy(wish, candidates).slice(0, max_responders)
  const [winner, second] = chosen
  if (winner === undefined) return undefined
  const runnerUp = second ?? candidates.ranked.find(({ name }) => name !== winner)?.name
  return {
    mode: chosen.length > 1 ? sharedModes[wish.kind] : 'solo',
    winner,
    ...(runnerUp === undefined ? {} : { runnerUp }),
    responders: chosen,
    overlap: runnerUp === undefined ? null : overlapBetween(winner, runnerUp, candidates.ranked),
    rule: rules[wish.kind],
    reason: reasons[wish.kind](wish, chosen),
  }
}

const sharedModes: Record<Wish['kind'], DispatchMode> = {
  several: 'parallel',
  second: 'synthesis',
  other: 'solo',
  one: 'solo',
  addressed: 'solo',
  continued: 'solo',
  noted: 'solo',
}

const rules: Record<Wish['kind'], WordingRule> = {
  several: 'asked_several',
  second: 'asked_second',
  other: 'asked_other',
  one: 'asked_one',
  addressed: 'addressed',
  continued: 'continued',
  noted: 'noted',
}

function chosenBy(wish: Wish, candidates: Candidates): string[] {
  switch (wish.kind) {
    case 'several': {
      const open = wish.named.length > 1 ? wish.named : inOrder(candidates, 'newest')
      const others = open.filter((name) => !wish.except.includes(name))
      return (others.length > 0 ? others : open).slice(0, wish.named.length > 1 ? undefined : wish.count)
    }
    case 'second': {
      const taken = [...wish.named, ...(wish.turnedDown ?? [])]
      const unnamed = inOrder(candidates, 'newest').filter((name) => !taken.includes(name))
      return wish.named.length > 1 ? wish.named : [...wish.named, ...unnamed].slice(0, 2)
    }
    case 'other':
      return inOrder(candidates, 'oldest')
        .filter((name) => !wish.except.includes(name))
        .slice(0, 1)
    case 'one':
      return inOrder(candidates, 'newest')
        .filter((name) => wish.among.length === 0 || wish.among.includes(name))
        .slice(0, 1)
    case 'addressed':
    case 'continued':
      return [wish.agent]
    case 'noted':
      return [wish.agent ?? firstByName(candidates.agents)].filter((name) => name !== undefined)
  }
}

/**
 * By confidence; without proposals by who spoke last: `newest` puts those first who know the talk, `oldest` those who look at it afresh.
 * Agents that never spoke count as the oldest, and go by name.
 */
function inOrder({ agents, ranked, spoke }: Candidates, first: 'newest' | 'oldest'): string[] {
  const byConfidence = ranked.map(({ name }) => name)
  const turn = first === 'newest' ? -1 : 1
  const others = [...new Set(agents)]
    .filter((name) => !byConfidence.includes(name))
    .sort((a, b) => turn * (spoke.lastIndexOf(a) - spoke.lastIndexOf(b)) || byCodeUnit(a, b))
  return [...byConfidence, ...others]
}

function overlapBetween(a: string, b: string, ranked: readonly Contender[]): number | null {
  const [one, other] = [a, b].map((name) => ranked.find((contender) => contender.name === name))
  return one && other ? overlapOf(one, other) : null
}

const reasons: Record<Wish['kind'], (wish: Wish, chosen: readonly string[]) => string> = {
  several: (wish, chosen) => {
    if ('parts' in wish) return `${said(wish)} gives each a part: ${chosen.join(', ')}.`
    return 'named' in wish && wish.named.length > 1
      ? `${said(wish)} asks ${chosen.join(', ')} to answer.`
      : `${said(wish)} asks several to answer: ${chosen.join(', ')}.`
  },
  second: (wish, chosen) =>
    `${said(wish)} ${wish.kind === 'second' ? inTurn[wish.how ?? 'work'] : ''}: ${chosen.join(', then ')}.`,
  other: (wish, chosen) =>
    'silent' in wish
      ? `${said(wish)} asks for the one that has been silent: ${chosen.join(', ')}.`
      : `${said(wish)} asks for somebody other than ${'except' in wish ? wish.except.join(' and ') : ''}: ${chosen.join(', ')}.`,
  one: (wish, chosen) => `${said(wish)} asks for one answer, from ${chosen.join(', ')}.`,
  addressed: (wish, chosen) => `${said(wish)} addresses ${chosen.join(', ')}.`,
  continued: (wish, chosen) => `${said(wish)} reads as a follow-up to ${chosen.join(', ')}, the last to speak.`,
  noted: (wish, chosen) => `${said(wish)} asks for nothing: ${chosen.join(', ')} may acknowledge it.`,
}

/** What is asked of one agent and then of another. */
const inTurn = {
  work: 'asks for one answer and another on top of it',
  sides: 'asks for one side and then the other',
  exchange: 'asks them to answer each other',
  agreement: 'asks them to agree, each after reading the other',
  views: 'asks how several see it, the second after reading the first',
}

function said({ words }: Wish): string {
  return `“${oneLine(words, 60)}”`
}
