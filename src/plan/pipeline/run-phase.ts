/** Runs one phase: starts it, does its work, and writes its artefact and summary. PH2. */
import type { Run, StepContext } from '../../kernel/engine.ts'
import { type KeyDecision, type PhaseSummary, phaseSummarySchema } from '../../rules/plan/phase-summary.ts'
import { type PhaseId, phaseById, phases } from '../../rules/plan/phase-table.ts'
import type { Cast } from '../../rules/plan/preset.ts'
import { renderArtefact, renderSummary, type Summary, summaryFile, writeArtefact } from '../artefacts.ts'
import { artefactWritten, decisionRecorded, phaseFinished, phaseStarted } from '../events.ts'
import { architecture } from '../phases/architecture.ts'
import { clarification } from '../phases/clarification.ts'
import { completion } from '../phases/completion.ts'
import { deepThinking } from '../phases/deep-thinking.ts'
import { expertReview, type ReviewEnd } from '../phases/expert-review.ts'
import { research } from '../phases/research.ts'
import { setup } from '../phases/setup.ts'
import { assets, testStrategy } from '../phases/test-strategy.ts'
import { coverage, validation } from '../phases/validation.ts'
import { addFlags, eventHeader, type Phase, type Plan } from '../plan.ts'
import { type PhaseSettings, phaseSettings } from '../plan-settings.ts'
import { dissentWords, type PanelResult } from '../team/panel.ts'
import { flat, type PhaseResult, personsDecisions, questionsLeft } from '../team/phase-result.ts'
import { filesReadLine } from '../team/phase-source.ts'
import { castFor } from '../team/teamwork.ts'
import { listSection } from '../wording.ts'
import { renewDocuments } from './renew-documents.ts'
import { contextOf, systemPrompt } from './system-prompt.ts'

type PhaseOutcome = PhaseResult & {
  panel?: PanelResult
  end?: ReviewEnd
  issues?: unknown[]
  contradictions?: string[]
  openQuestions?: string[]
}

const phaseFunctions: Record<PhaseId, (phase: Phase) => Promise<PhaseOutcome>> = {
  '1': setup,
  '2': research,
  '3': clarification,
  '4': architecture,
  '5': deepThinking,
  '6': validation,
  '6b': expertReview,
  '7': testStrategy,
  '8': coverage,
  '8b': assets,
  '9': completion,
}

const staffed = new Set<PhaseId>(['2', '4', '6b', '7'])

export interface FinishedPhase {
  summary: Summary
  /** Payload references of the files it wrote. */
  files: Record<string, string>
  panel?: Pick<PanelResult, 'after' | 'level' | 'turn'> & { why: string }
  end?: ReviewEnd
  issues?: number
  /** RV5: contradictions that stay open. */
  contradictions?: string[]
  /** PH6: HIGH and MEDIUM questions that stay open. */
  openQuestions?: string[]
}

export interface PhaseOptions {
  /** Whether another phase runs at the same time. */
  isParallel?: boolean
  /** Flags set before it starts. */
  summaryFlags?: string[]
}

export async function runPhase(
  plan: Plan,
  run: Run,
  id: PhaseId,
  { isParallel = false, summaryFlags = [] }: PhaseOptions = {},
): Promise<FinishedPhase> {
  const phase = await startPhase(plan, run, id, { isParallel, summaryFlags })
  const result = await phaseFunctions[id](phase)
  const recorded = await recordPhase(phase, result)
  const { panel, end, issues, contradictions, openQuestions } = result
  return {
    ...recorded,
    ...(panel ? { panel: panelEnd(panel) } : {}),
    ...(end ? { end } : {}),
    ...(issues ? { issues: issues.length } : {}),
    ...(contradictions ? { contradictions } : {}),
    ...(openQuestions ? { openQuestions } : {}),
  }
}

function panelEnd({ after, level, dissents, turn }: PanelResult): NonNullable<FinishedPhase['panel']> {
  return { after, level, why: dissentWords(dissents), ...(turn === undefined ? {} : { turn }) }
}

async function startPhase(
  plan: Plan,
  run: Run,
  id: PhaseId,
  { isParallel, summaryFlags }: Required<PhaseOptions>,
): Promise<Phase> {
  const pass = (plan.passes.get(id) ?? 0) + 1
  plan.passes.set(id, pass)
  // ST4: a changed configuration applies to phases that have not started.
  const phaseWith = (settings: PhaseSettings): Phase => {
    const place = { id, pass }
    return {
      plan,
      run,
      id,
      pass,
      settings,
      flags: new Set(settings.flags),
      system: systemPrompt(plan, place, settings),
      renew(own) {
        const summary = phaseSummarySchema.parse({
          phase: id,
          status: 'completed',
          closed_questions: questionsLeft(this),
          ...own,
        })
        this.system = systemPrompt(plan, place, settings, [{ ...summary, text: '' }])
      },
      isParallel,
      summaryFlags: [...summaryFlags],
      filesRead: new Set(),
    }
  }
  const open = (step: StepContext) => {
    const settings = phaseSettings(plan.deps.settings, plan.deps.staff(), plan.input)
    const staff = staffed.has(id) ? castFor(phaseWith(settings)) : null
    const started = {
      phase: id,
      name: phaseById(id).name,
      pass,
      strategy: staff?.choice.strategy ?? null,
      ...(staff?.choice.override ? { override: staff.choice.override } : {}),
      cast: staff ? castNames(staff.cast) : [...phaseById(id).panel],
      ...(staff ? { chosen_with: staff.chosenWith } : {}),
    }
    step.emit(phaseStarted.create(eventHeader(plan, run), started))
    return settings
  }
  const settings = await run.step(`open phase ${id}`, open, { ahead: true })
  const phase = phaseWith(settings)
  if (contextOf(plan, settings, [...plan.summaries.values()]).dropped.length > 0) addFlags(phase, 'context_cut')
  return phase
}

/** Writes files before the event: a recorded summary is always on disk. */
async function recordPhase(phase: Phase, result: PhaseOutcome): Promise<Pick<FinishedPhase, 'summary' | 'files'>> {
  const { plan, run, id, pass } = phase
  const decisions = [...result.decisions, ...personsDecisions(phase)]
  const against = contradictions(phase, decisions)
  if (against.length > 0) addFlags(phase, 'contradicts_settled_decision')
  const { missing, ...more } = result.more ?? {}
  const left = questionsLeft(phase)
  const facts: PhaseSummary = phaseSummarySchema.parse({
    phase: id,
    status: 'completed',
    flags: phase.summaryFlags,
    key_decisions: decisions,
    open_questions: result.questions,
    ...(left.length > 0 ? { closed_questions: left } : {}),
    risks_identified: result.risks,
    ...more,
    ...(missing?.length ? { missing } : {}),
  })
  const summary: Summary = { ...facts, text: result.text }
  const body = [result.body, listSection('Against settled decisions', against), filesReadLine(phase)]
    .filter(Boolean)
    .join('\n\n')
  return run.step(`keep phase ${id}`, async (step) => {
    const documents = { [phaseById(id).artefact]: { title: result.title, body }, ...result.also }
    const pages = Object.entries(documents).map(([file, { title, body }]) => [file, renderArtefact(facts, title, body)])
    const refs: Record<string, string> = {}
    const files: Record<string, string> = { ...Object.fromEntries(pages), ...result.files }
    for (const [file, text] of Object.entries(files)) {
      writeArtefact(plan.folder, file, text)
      const artefact_ref = await plan.deps.store.putPayload(text)
      refs[file] = artefact_ref
      const about = { phase: id, file, bytes: Buffer.byteLength(text), artefact_ref }
      step.emit(artefactWritten.create(eventHeader(plan, run), about))
    }
    const rendered = renderSummary(summary)
    writeArtefact(plan.folder, summaryFile(id), rendered)
    plan.written.set(id, rendered)
    const others = [...plan.summaries.values()].filter(({ phase }) => phase !== id)
    for (const [file, text] of Object.entries(renewDocuments(plan, [...others, summary]))) {
      const owner = phases.find(({ artefact, alsoWrites }) => artefact === file || alsoWrites.includes(file))!
      const artefact_ref = await plan.deps.store.putPayload(text)
      refs[file] = artefact_ref
      const about = { phase: owner.id, file, bytes: Buffer.byteLength(text), artefact_ref }
      step.emit(artefactWritten.create(eventHeader(plan, run), about))
    }
    for (const decision of decisions) {
      const about = { phase: id, decision, ...(decision.ask === undefined ? {} : { ask: decision.ask }) }
      step.emit(decisionRecorded.create(eventHeader(plan, run), about))
    }
    step.emit(phaseFinished.create(eventHeader(plan, run), { phase: id, pass, summary: facts, text: result.text }))
    return { summary, files: refs }
  })
}

/** CX2: lists decisions that contradict a settled one without superseding it; later phases do not get them. */
function contradictions({ plan, id, settings }: Phase, key_decisions: KeyDecision[]): string[] {
  const own = phaseSummarySchema.parse({ phase: id, status: 'completed', key_decisions })
  const { contradictions: found } = contextOf(plan, settings, [...plan.summaries.values(), { ...own, text: '' }])
  return found
    .filter(({ against }) => against.phase === id && key_decisions.some((one) => one.id === against.decision.id))
    .map(({ standing, against }) => {
      return `**${against.decision.id}** (${flat(against.decision.decision)}) contradicts **${standing.decision.id}** of phase ${standing.phase}, which stands.`
    })
}

function castNames(cast: Cast): string[] {
  if (cast.strategy !== 'red_team') return [...cast.agents]
  return [cast.proposer, cast.challenger, ...(cast.defender === 'coordinator' ? ['coordinator'] : [])]
}
