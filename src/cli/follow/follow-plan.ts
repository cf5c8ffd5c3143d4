/** Follows a plan phase by phase, and prints its artefacts. */

import type { StoredEvent } from '../../kernel/events.ts'
import { questionAnswered } from '../../kernel/runs/question-events.ts'
import { splitFrontMatter } from '../../plan/artefacts.ts'
import {
  assumptionMade,
  breakerTripped,
  consistencyChecked,
  contradictionsSettled,
  convergenceMeasured,
  memberMissing,
  panelTallied,
  phaseFinished,
  phaseStarted,
  planAmended,
  planReturned,
  planStarted,
  reviewDecided,
  specifyScored,
} from '../../plan/events.ts'
import type { PlanReport } from '../../plan/pipeline/plans.ts'
import { counted, turnout } from '../../plan/wording.ts'
import { phaseById, phaseIds, phases } from '../../rules/plan/phase-table.ts'
import { flagLabel } from '../../rules/plan/words/flag-words.ts'
import { shellWord } from '../../rules/text/shell-word.ts'
import type { Client } from '../client/client.ts'
import type { Output } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import { exitCodeOf, followWork, questionLines, stoppedLine } from './follow-work.ts'
import { lineDisplay } from './line-display.ts'

export async function followPlan(
  client: Client,
  id: string,
  output: Output,
  interrupted: AbortSignal,
  resumedAt?: number,
): Promise<number> {
  const work = { id, report: () => client.call('GET /api/plans/:plan/report', { params: { plan: id } }), resumedAt }
  const display = lineDisplay(
    output,
    (event) => describePlanEvent(event, output),
    (event) => (phaseStarted.is(event) ? `phase ${event.data.phase}: ${event.data.name}` : undefined),
    placeOf(),
  )
  const report = await followWork(client, work, output, interrupted, display)
  return say(report, output)
}

/** Where a plan was when it stopped: its last phase, and whether it waits there for the person no more. */
function placeOf(): (event: StoredEvent) => string | null {
  let phase = ''
  return (event) => {
    if (phaseStarted.is(event)) phase = `phase ${event.data.phase} (${event.data.name})`
    if (phaseStarted.is(event)) return `the start of ${phase}`
    if (phaseFinished.is(event)) return phase
    return questionAnswered.is(event) ? `your answer in ${phase}` : null
  }
}

/**
 * Prints the artefacts of a plan in the order in which they are read: what a lead signs, the issues, then the documents behind
 * them by phase. Their front matter is for Convene.
 */
export async function showPlan(client: Client, given: string, output: Output): Promise<number> {
  const params = { plan: given }
  const report = await client.call('GET /api/plans/:plan/report', { params })
  const { files } = await client.call('GET /api/plans/:plan/files', { params })
  const shown = inReadingOrder(files.filter((file) => file.endsWith('.md') && !file.startsWith('.')))
  const texts: Record<string, string> = {}
  for (const file of shown)
    texts[file] = (await client.call('GET /api/plans/:plan/files/:file', { params: { ...params, file } })).text
  output.data({ ...report, files, artefacts: texts })
  const { status, degraded, reason } = report
  const flawed = degraded ? output.style('yellow', ' · degraded: some of it could not be done as planned') : ''
  output.print(printable(`plan ${report.plan}: ${status}${reason ? ` (${reason})` : ''}${flawed}\n`))
  for (const [file, text] of Object.entries(texts))
    output.print(`${output.style('bold', file)}\n\n${printable(splitFrontMatter(text).text)}\n`)
  return 0
}

function inReadingOrder(files: readonly string[]): string[] {
  const known = ['plan.md', 'tasks.md', ...phases.map(({ artefact }) => artefact)]
  const rank = (file: string) => (known.includes(file) ? known.indexOf(file) : known.length)
  return files.toSorted((a, b) => rank(a) - rank(b))
}

function say(report: PlanReport, output: Output): number {
  output.data(report)
  output.print(inWords(report, output))
  return exitCodeOf(report)
}

function inWords(report: PlanReport, output: Output): string {
  const {
    run,
    plan,
    status,
    reason,
    feature,
    folder,
    issues,
    degraded,
    assumptions = [],
    contradictions = [],
    open_questions = [],
    questions = [],
  } = report
  switch (status) {
    case 'done': {
      const flawed = degraded ? output.style('yellow', ' (degraded: parts are missing; the files name them)') : ''
      const many = assumptions.length !== 1
      const assumed =
        assumptions.length > 0
          ? `\n${counted(assumptions.length, 'assumption')} ${many ? 'are' : 'is'} listed in tasks.md`
          : ''
      return `${output.style('green', 'done')}  ${issues} ${issues === 1 ? 'issue' : 'issues'} in ${folder}${flawed}${openLines(contradictions, output)}${questionsLeft(open_questions, output)}${assumed}\nread the plan: convene plan --show ${plan}\nbuild it: convene greenlight ${feature} --issues ${shellWord(`${folder}/issues.json`)}\n          convene run ${feature}`
    }
    case 'waiting':
      return questionLines(run, questions, output).join('\n')
    case 'stopped':
      return stoppedLine(run, output)
    default:
      return `${output.style('red', 'failed')}  ${reason ?? 'no reason given'}; the files so far are in ${folder}`
  }
}

/** RV5: a contradiction that nobody settled is never passed over. */
function openLines(contradictions: readonly string[], output: Output): string {
  if (contradictions.length === 0) return ''
  const many = contradictions.length > 1
  const title = `${counted(contradictions.length, 'contradiction')} ${many ? 'are' : 'is'} open; the issues concerned carry ${many ? 'them' : 'it'}:`
  const lines = [output.style('yellow', title), ...contradictions.map((one) => `  ${printable(one)}`)]
  return `\n${lines.join('\n')}`
}

/** PH6: what the agents asked and nobody answered is part of the result. */
function questionsLeft(open: readonly string[], output: Output): string {
  if (open.length === 0) return ''
  const title = `${counted(open.length, 'question')} of the agents ${open.length > 1 ? 'are' : 'is'} still open (plan.md, tasks.md):`
  return `\n${[output.style('yellow', title), ...open.map((one) => `  ${printable(one)}`)].join('\n')}`
}

export function describePlanEvent(event: StoredEvent, output: Output): string | null {
  if (planStarted.is(event)) {
    const { plan, mode, preset, rehearsal, warnings, steps } = event.data
    const out = phaseIds.filter((id) => !steps.flat().includes(id)).map((id) => `${id} ${phaseById(id).name}`)
    const without = out.length > 0 ? `\n  without phases ${out.join(', ')}: not part of ${mode} mode` : ''
    const told = warnings.map((warning) => `\n${output.style('yellow', `  ${warning}`)}`).join('')
    return `plan ${plan}: ${mode} mode, ${preset} team${rehearsal ? ' · rehearsal: agents play a script, no model is asked' : ''}${without}${told}`
  }
  if (phaseStarted.is(event)) {
    const { phase, name, pass, strategy, cast, override } = event.data
    const who = cast.length > 0 ? ` · ${cast.join(', ')}` : ''
    return `phase ${phase} ${name}${pass > 1 ? ` (again, ${pass})` : ''}${strategy ? ` · ${strategy}` : ''}${who}${override ? ` · ${override}` : ''}`
  }
  if (specifyScored.is(event)) {
    const { score, threshold, passed, progress, informational, relaxed } = event.data
    const why = relaxed ? ` (${threshold} are needed, because research is degraded)` : ''
    const end = passed ? `: enough${why}` : informational ? ', for information only' : `; ${threshold} are needed`
    return `  how clear the request is: ${score} of 10 points${end}${progress ? ` · ${progress}` : ''}`
  }
  if (panelTallied.is(event)) {
    const { level, points, outOf, answered, members, missing, shared } = event.data
    const percent = outOf > 0 ? ` ${Math.round((points / outOf) * 100)} %` : ''
    const gap = shared ? `; two name the same gap: ${printable(shared)}` : ''
    const words = level === null ? 'no score' : `${level}${percent} (${levelWords[level]})`
    return `  panel: ${words}, ${turnout(`${answered} of ${members}`, missing)}${gap}`
  }
  if (reviewDecided.is(event)) {
    const { outcome, blocking, carried, noted, advisory, overridden, answered, reviewers, missing } = event.data
    const serious = [...blocking, ...carried]
    const critical = serious.filter(({ severity }) => severity === 'CRITICAL').length
    const taken = overridden.length > 0 ? ` (${overridden.length} overridden)` : ''
    const counts = `${critical} critical${taken}, ${serious.length - critical} major, ${noted.length} minor, ${advisory.length} advisory`
    return `  expert review: ${outcomeWords[outcome]}; ${counts}; ${turnout(`${answered} of ${reviewers}`, missing ?? [])}`
  }
  if (consistencyChecked.is(event)) {
    const { contradictions } = event.data
    if (contradictions === null) return '  the documents could not be compared with each other'
    return `  comparing the documents: ${contradictions.length === 0 ? 'no contradiction' : counted(contradictions.length, 'contradiction')}`
  }
  if (contradictionsSettled.is(event)) {
    const many = (end: string) => event.data.ends.filter((one) => one.end === end).length
    return `  contradictions: ${many('repaired')} repaired, ${many('decided')} decided by you, ${many('open')} open`
  }
  if (planAmended.is(event)) {
    return `  ${amendedWords(event.data)}`
  }
  if (memberMissing.is(event)) return `  missing: ${event.data.role} (${event.data.agent}): ${event.data.reason}`
  if (breakerTripped.is(event))
    return `  gave up after ${counted(event.data.failures, 'failure')}: ${event.data.description}`
  if (planReturned.is(event)) return `back to phase ${event.data.to}: ${event.data.reason}`
  if (phaseFinished.is(event)) {
    const { phase, flags, answered, status } = event.data.summary
    const rebuilt = flags.includes('summary_rebuilt')
      ? `  phase ${phase}: its summary was lost and has been rebuilt`
      : null
    const said = [
      status === 'skipped' ? 'skipped' : '',
      flags.includes('degraded') && answered ? `${answered} answered` : '',
      ...flags.filter((flag) => !toldElsewhere.has(flag)).map(flagLabel),
    ].filter(Boolean)
    if (said.length === 0) return null
    return output.style('yellow', [rebuilt, `  ${said.join(' · ')}`].filter(Boolean).join('\n'))
  }
  if (assumptionMade.is(event)) return `  assumed: ${event.data.question} → ${event.data.assumption}`
  if (convergenceMeasured.is(event)) {
    const { verdict, skipped, answered, expected, missing = [] } = event.data
    if (skipped) return `  agreement not measured: ${skipped}`
    const some = missing.length > 0 ? `; ${turnout(`${answered} of ${expected}`, missing)}` : ''
    return `  ${agreementWords(event.data.stands, verdict)}${some}`
  }
  return null
}

const levelWords = { GREEN: 'good', YELLOW: 'usable, with reservations', RED: 'not good enough' } as const

const outcomeWords = {
  pass: 'passed',
  pass_with_risk: 'passed, with risks to settle or to carry',
  fail: 'critical findings',
} as const

/** Lines of their own say these. */
const toldElsewhere: ReadonlySet<string> = new Set(['rubric_yellow', 'shared_gap', 'amended', 'summary_rebuilt'])

type Measured = Pick<DataOf<typeof convergenceMeasured>, 'stands' | 'verdict'>

function agreementWords(stands: Measured['stands'], verdict: Measured['verdict']): string {
  const questionsOf = (kind: string) =>
    new Set(stands.filter((one) => one.kind === kind).map(({ question }) => question)).size
  const [agreed, disputed] = [questionsOf('agreed'), questionsOf('conflict')]
  if (agreed + disputed === 0) return `how far the agents agree: ${verdict ?? 'unknown'}`
  if (disputed === 0) return `the agents agree on ${counted(agreed, 'question')}`
  return `the agents disagree on ${counted(disputed, 'question')}${agreed > 0 ? ` and agree on ${agreed}` : ''}`
}

/** RV4: what an amendment really changed, and how its points ended. */
function amendedWords({ points, changed, amended }: DataOf<typeof planAmended>): string {
  if (points.length > 0 && points.every(({ decided }) => decided))
    return `your decision settles ${counted(points.length, 'point')}`
  const files = changed?.files ?? amended.map(({ phase }) => phaseById(phase).artefact)
  const parts = [
    files.length > 0 ? `changed ${files.join(', ')}` : '',
    changed && changed.decisions.length > 0 ? `replaced ${changed.decisions.join(', ')}` : '',
    changed && changed.risks.length > 0 ? `restated ${changed.risks.join(', ')}` : '',
  ].filter(Boolean)
  const settled = points.filter((point) => point.settled).length
  return `the architect ${parts.join('; ') || 'changed no document'}: ${settled} of ${counted(points.length, 'point')} settled`
}

type DataOf<Definition extends { create: (...args: never[]) => { data: unknown } }> = ReturnType<
  Definition['create']
>['data']
