/** One event as a line of text. Unknown types are shown by their plain data. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { Problem } from '../../../../src/rules/schema/problem.ts'
import { problemText } from '../../../../src/rules/schema/problem-text.ts'
import type { Tone } from '../../ui/chip.tsx'
import { duration, money } from '../../ui/format.ts'
import { phaseLabel } from './labels.ts'

type Data = Record<string, unknown>

export function eventLabel({ type, data }: StoredEvent): string {
  const facts = (data ?? {}) as Data
  const said = sentences[type]?.(facts)
  return (said ?? plainFacts(facts)).replace(/\s+/g, ' ').trim().slice(0, 300)
}

export function eventTone({ type, data }: StoredEvent): Tone | null {
  const facts = (data ?? {}) as Data
  if (type === 'run.finished') return facts.status === 'done' ? 'ok' : 'bad'
  if (type === 'ask.finished') return facts.failure ? 'bad' : null
  if (type === 'issue.moved') return facts.to === 'DONE' ? 'ok' : facts.to === 'BLOCKED' ? 'bad' : null
  if (type === 'evidence.recorded') return (facts.exit_code === 0) === (facts.purpose !== 'red') ? 'ok' : 'bad'
  return tones[type] ?? null
}

const tones: Record<string, Tone> = {
  'merge.completed': 'ok',
  'issue.done': 'ok',
  'question.asked': 'warn',
  'reply.refused': 'warn',
  'agent.nudged': 'warn',
  'verification.failed': 'bad',
  'child.failed': 'bad',
  'budget.exhausted': 'bad',
  'breaker.tripped': 'warn',
  'run.parked': 'warn',
  'warning.given': 'warn',
  'conflict.forecast': 'warn',
  'member.missing': 'warn',
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const list = (value: unknown) => (Array.isArray(value) ? value.map(text).filter(Boolean).join(', ') : '')
const part = (words: string, value: unknown) => (text(value) === '' ? '' : `${words}${text(value)}`)
const attempt = ({ attempt }: Data) => (typeof attempt === 'number' && attempt > 1 ? `, attempt ${attempt}` : '')

const sentences: Record<string, (data: Data) => string> = {
  'run.started': ({ workflow }) => text(workflow),
  'run.finished': ({ status, reason }) => `${text(status)}${part(': ', reason)}`,
  'run.parked': ({ reason }) => text(reason),
  'run.forked': ({ from, fromStep }) => `from ${text(from)}, step ${text(fromStep)}`,
  'run.recovered': ({ steps }) => `recovered after ${text(steps)} steps`,
  'ask.started': (data) => `${text(data.kind)} put to ${text(data.agent)}${attempt(data)}`,
  'ask.finished': (data) => {
    const { failure, exit, usage, milliseconds } = data as {
      failure?: { reason: string }
      exit?: string
      usage?: { inputTokens: number; outputTokens: number; usd: number | null }
      milliseconds?: number
    }
    const price = typeof usage?.usd === 'number' ? `, ${money(usage.usd)}` : ''
    const tokens = usage ? `, ${usage.inputTokens + usage.outputTokens} tokens${price}` : ''
    const took = typeof milliseconds === 'number' ? ` in ${duration(milliseconds)}` : ''
    return `${text(data.kind)}: ${failure ? failure.reason : (exit ?? 'answered')}${attempt(data)}${took}${tokens}`
  },
  'task.put': (data) => `${text(data.kind)} for ${text(data.node)}${attempt(data)}`,
  'review.approved': ({ node, signOff }) => `${text(node)}: ${text(signOff)}`,
  'tool.used': ({ tool, summary, ok }) => `${text(tool)} ${text(summary)}${ok === false ? ' (failed)' : ''}`,
  'evidence.recorded': ({ purpose, command, exit_code, tests, reused }) => {
    const counted = tests as { parsed: boolean; passed: number; failed: number } | undefined
    const seen = counted?.parsed ? `, ${counted.passed} passed, ${counted.failed} failed` : ''
    const how = reused ? ' (reused)' : ''
    return `${text(purpose)} → ${text(exit_code)}${seen}${how}: ${text(command).replace(/^"?(?:[^\s"]*\/)+/, '')}`
  },
  'mutations.tried': ({ tried, because }) => {
    const all = Array.isArray(tried) ? (tried as Data[]) : []
    const missed = all.filter(({ outcome }) => outcome === 'unnoticed')
    const where = missed.map(({ file, line, change }) => `${text(file)}:${text(line)}: ${text(change)}`)
    if (all.length === 0) return `no mutation${part(': ', because)}`
    return `${missed.length} of ${all.length} mutations unnoticed${part(': ', where.join('; '))}`
  },
  'exit.routed': ({ from, exit, to, capped }) =>
    `${text(from)} → ${text(exit)} → ${list(to) || 'a person'}${part(', cap: ', capped)}`,
  'reply.refused': (data) => {
    const problems = Array.isArray(data.problems) ? (data.problems as Problem[]) : []
    return `${text(data.kind)}${attempt(data)}: ${problems.map((problem) => `[${problem.rule}] ${problemText(problem)}`).join('; ')}`
  },
  'work.committed': ({ kind, commit }) => `${text(kind)} ${text(commit).slice(0, 10)}`,
  'merge.completed': ({ node, into, mergeCommit, impactLevel }) =>
    `${text(node)} into ${text(into)} as ${text(mergeCommit).slice(0, 10)} (${text(impactLevel)})`,
  'question.asked': ({ text: asked }) => text(asked),
  'question.answered': ({ choice, text: said }) => text(choice) || text(said),
  'message.posted': ({ text: said }) => text(said),
  'reply.posted': ({ agent, text: said }) => `${text(agent)}: ${text(said)}`,
  'reply.passed': ({ agent }) => `${text(agent)} had nothing to add`,
  'round.resolved': ({ mode, responders, reason }) => `${text(mode)}: ${list(responders)}${part('. ', reason)}`,
  'phase.started': ({ name, strategy, pass }) =>
    `${text(name)}${part(', ', strategy)}${typeof pass === 'number' && pass > 1 ? `, pass ${pass}` : ''}`,
  'phase.finished': ({ phase }) => phaseLabel(text(phase)),
  'panel.voted': ({ member, points, outOf }) => `${text(member)}: ${text(points)} of ${text(outOf)}`,
  'panel.tallied': ({ phase, level, points, outOf }) =>
    `${phaseLabel(text(phase))}: ${text(level) || 'not scored'}, ${text(points)} of ${text(outOf)}`,
  'specify.scored': ({ score, threshold, passed }) =>
    `${text(score)} of 10, ${text(threshold)} needed${passed ? '' : ': not passed'}`,
  'review.decided': ({ outcome, action }) => `${text(outcome)}, ${text(action)}`,
  'consistency.checked': ({ contradictions }) =>
    Array.isArray(contradictions) ? `${contradictions.length} contradictions` : 'not checked',
  'contradictions.settled': ({ ends }) => {
    const all = Array.isArray(ends) ? (ends as Data[]) : []
    return `${all.filter(({ end }) => end === 'open').length} of ${all.length} contradictions open`
  },
  'plan.amended': ({ points }) => {
    const all = Array.isArray(points) ? (points as Data[]) : []
    return `${all.filter(({ settled }) => settled === true).length} of ${all.length} points settled`
  },
  'decision.recorded': ({ decision }) => text((decision as Data | undefined)?.decision),
  'artefact.written': ({ file }) => text(file),
  'output.received': ({ role, excerpt }) => `${text(role)}: ${text(excerpt)}`,
  'issue.moved': ({ issue, from, to, cause, reason }) =>
    `#${text(issue)} ${text(from)} → ${text(to)} (${text(cause)})${part(': ', reason)}`,
  'convergence.measured': ({ phase, round, verdict, score }) =>
    `${phaseLabel(text(phase))}, round ${text(round)}: ${text(verdict) || 'not measured'}${part(', words ', score)}`,
}

const telling = [
  'text',
  'title',
  'goal',
  'summary',
  'reason',
  'detail',
  'diagnosis',
  'name',
  'node',
  'phase',
  'issue',
  'status',
  'kind',
  'file',
  'commit',
  'agent',
]

function plainFacts(data: Data): string {
  return telling
    .flatMap((name) => {
      const value = text(data[name])
      return value === ''
        ? []
        : [name === 'issue' ? `#${value}` : value.replace(/\b([0-9a-f]{10})[0-9a-f]{30}\b/, '$1')]
    })
    .slice(0, 3)
    .join(' · ')
}
