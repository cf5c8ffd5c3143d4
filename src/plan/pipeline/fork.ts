/** Forks a plan: gives it its own name and folder, with the files written before the fork. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../kernel/engine.ts'
import type { NewEvent, StoredEvent } from '../../kernel/events.ts'
import { runForked } from '../../kernel/run-events.ts'
import { ownFiles, type PhaseId } from '../../rules/plan/phase-table.ts'
import { earlierFile, readArtefact, renderSummary, type Summary, summaryFile, writeArtefact } from '../artefacts.ts'
import type { PlanDeps } from '../deps.ts'
import {
  artefactWritten,
  assumptionMade,
  consistencyChecked,
  contradictionsSettled,
  convergenceMeasured,
  decisionRecorded,
  memberMissing,
  outputReceived,
  panelTallied,
  panelVoted,
  phaseFinished,
  phaseStarted,
  planAmended,
  planReturned,
  planStarted,
  planStream,
  reviewDecided,
  specifyScored,
} from '../events.ts'
import type { Ground } from '../plan.ts'
import { forkedName } from '../plan-names.ts'

/**
 * Idempotent, and repeated whenever the run is resumed: a fork replays the original's first steps, so it has no step of its
 * own for this.
 */
export async function openFork(run: Run, deps: PlanDeps, ground: Ground): Promise<Ground> {
  const plan = forkedName(ground.plan, run.runId)
  const folder = join(deps.folder, plan)
  const [forked] = await deps.store.read({ run: run.runId, types: [runForked.type], limit: 1 })
  if (!forked || !runForked.is(forked)) return ground
  const { from, fromStep } = forked.data
  const past = await readPast(deps, run.runId, fromStep)
  // A plan that already has its issues keeps its feature.
  const feature = past.files.has('issues.json') ? ground.feature : plan
  if (!existsSync(folder)) await writeFiles(deps, folder, join(deps.folder, ground.plan), past)
  const started = await deps.store.read({ run: run.runId, types: [planStarted.type], limit: 1 })
  if (started.length === 0)
    await copyEvents(deps, run.runId, await deps.store.read({ run: from }), past, { plan, feature })
  return { ...ground, run: run.runId, plan, feature, folder }
}

/** What the steps before the fork wrote. */
interface Past {
  /** Payload references by file name. */
  files: Map<string, string>
  summaries: Map<PhaseId, Summary>
  /** How often each phase was finished. */
  passes: Map<PhaseId, number>
  returns: number
}

interface WrittenPhase {
  summary: Summary
  files: Record<string, string>
}

async function readPast(deps: PlanDeps, run: string, fromStep: number): Promise<Past> {
  const past: Past = { files: new Map(), summaries: new Map(), passes: new Map(), returns: 0 }
  const steps = (await deps.journal.steps(run)).filter(({ position }) => position < fromStep)
  for (const { kind, name, state, value } of steps) {
    if (state !== 'done') continue
    if (name.startsWith('back to ')) {
      past.returns++
      for (const id of value as PhaseId[]) putAside(past, id)
    }
    if (name === 'read summaries') {
      const { read, lost } = value as { read: { id: PhaseId; summary: Summary }[]; lost: PhaseId[] }
      if (lost.length > 0) past.returns++
      for (const id of lost) putAside(past, id)
      for (const { id, summary } of read) past.summaries.set(id, summary)
    }
    const phase = kind === 'child' ? (await deps.journal.get(String(value)))?.result : value
    if (isWrittenPhase(phase)) addPhase(past, phase, !name.startsWith('go on in spite'))
    if (name.startsWith('amend in phase '))
      for (const one of (value as { amended: WrittenPhase[] }).amended) addPhase(past, one, false)
  }
  return past
}

function addPhase(past: Past, { summary, files }: WrittenPhase, isAnew: boolean): void {
  const { phase } = summary
  if (isAnew) past.passes.set(phase, (past.passes.get(phase) ?? 0) + 1)
  past.summaries.set(phase, summary)
  for (const [file, ref] of Object.entries(files)) past.files.set(file, ref)
}

function isWrittenPhase(value: unknown): value is WrittenPhase {
  return typeof value === 'object' && value !== null && 'summary' in value && 'files' in value
}

function putAside({ files, summaries, passes }: Past, id: PhaseId): void {
  summaries.delete(id)
  for (const file of ownFiles(id)) {
    const ref = files.get(file)
    if (ref === undefined) continue
    files.delete(file)
    files.set(earlierFile(file, passes.get(id) ?? 1), ref)
  }
}

/** Writes to a staging folder and renames it. Files unchanged by later steps are copied with people's edits. */
async function writeFiles(deps: PlanDeps, folder: string, origin: string, past: Past): Promise<void> {
  const staging = `${folder}.forking`
  rmSync(staging, { recursive: true, force: true })
  const latest = await latestRefs(deps, [...past.files.keys()], origin)
  for (const [file, ref] of past.files) {
    const now = latest.get(file) === ref ? readArtefact(origin, file) : null
    writeArtefact(staging, file, now ?? Buffer.from(await deps.store.readPayload(ref)).toString())
  }
  for (const [id, summary] of past.summaries) writeArtefact(staging, summaryFile(id), renderSummary(summary))
  if (existsSync(staging)) renameSync(staging, folder)
}

/** The last payload reference of each file of the original. */
async function latestRefs(deps: PlanDeps, files: readonly string[], origin: string) {
  const stream = planStream(origin.split('/').at(-1)!)
  const written = await deps.store.read({ stream, types: [artefactWritten.type] })
  const refs = new Map<string, string>()
  for (const event of written) if (artefactWritten.is(event)) refs.set(event.data.file, event.data.artefact_ref)
  return new Map([...refs].filter(([file]) => files.includes(file)))
}

const copiedTypes = [
  phaseStarted,
  outputReceived,
  memberMissing,
  convergenceMeasured,
  specifyScored,
  panelVoted,
  panelTallied,
  reviewDecided,
  consistencyChecked,
  contradictionsSettled,
  planAmended,
  decisionRecorded,
  assumptionMade,
  artefactWritten,
  phaseFinished,
].map(({ type }) => type as string)

/** Copies the original's events of the phases that the fork took over. */
async function copyEvents(
  deps: PlanDeps,
  run: string,
  events: readonly StoredEvent[],
  past: Past,
  { plan, feature }: { plan: string; feature: string },
): Promise<void> {
  const passes = new Map<PhaseId, number>()
  let returns = 0
  const own = events.flatMap((event): NewEvent[] => {
    const { seq: _seq, id: _id, ts: _ts, ...fact } = event
    const header = { stream: planStream(plan), run, feature }
    if (planStarted.is(event)) return [{ ...fact, ...header, data: { ...event.data, plan } }]
    if (planReturned.is(event)) return ++returns <= past.returns ? [{ ...fact, ...header }] : []
    if (!copiedTypes.includes(event.type)) return []
    const phase = phaseOf(event)
    if (phaseStarted.is(event)) passes.set(phase, event.data.pass)
    return (passes.get(phase) ?? 1) <= (past.passes.get(phase) ?? 0) ? [{ ...fact, ...header }] : []
  })
  await deps.store.append(own.map((event, n) => ({ ...event, key: { run, step: 'fork', n } })))
}

function phaseOf(event: StoredEvent): PhaseId {
  if (specifyScored.is(event)) return '3'
  if (reviewDecided.is(event)) return '6b'
  return (event.data as { phase: PhaseId }).phase
}
