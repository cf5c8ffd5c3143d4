/** Runs one issue: checks for existing work, claims it, builds it and writes its summary, or blocks it with a reason. IS, DU, FA. */
import { integrationBranch } from '../../build/branches.ts'
import { evidenceRecorded, mergeCompleted } from '../../build/events.ts'
import type { Run, StepContext, Workflow } from '../../kernel/engine.ts'
import { RunCancelled, RunFailed, Stopped } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { NewEvent } from '../../kernel/events.ts'
import { patientRun } from '../../kernel/runs/patient-run.ts'
import { askPerson } from '../../kernel/runs/questions.ts'
import type { GivenAnswer } from '../../plan/plan-input.ts'
import type { Spec } from '../../rules/build/spec.ts'
import { blockedReason } from '../../rules/issues/blocked-reason.ts'
import { type DuplicateDecision, dispatchStep, preparedAnswer, suspicionChoices } from '../../rules/issues/duplicate.ts'
import type { MoveCause } from '../../rules/issues/issue-states.ts'
import type { ShipDeps } from '../deps.ts'
import { contextInjected, duplicateSuspected, issueDone, issueStarted } from '../events.ts'
import { eventHeader, issueIn, moveEvent, readFeature } from '../feature-state.ts'
import { changedByBuild } from './changed-by-build.ts'
import { codingContextFor } from './coding-context.ts'
import { type FoundWork, lookForWork, pathsOf, startOf } from './duplicates.ts'
import { claimIssue, releaseIssue, startHeartbeat } from './issue-claim.ts'
import { touchedBy } from './module-registry.ts'
import { StartOrder } from './start-order.ts'
import { summarise } from './summarise.ts'

export interface IssueInput extends PreparedAnswers {
  feature: string
  number: number
  smart: boolean
  parent: string
}

/** Answers given with the command that started the run: `--answers` and `--yes`. */
export interface PreparedAnswers {
  answers?: GivenAnswer[]
  yes?: boolean
}

export type IssueOutcome = { status: 'done' | 'blocked' | 'left'; reason?: string; commit?: string }

export interface IssueNote {
  number: number
  outcome?: IssueOutcome
  fatal?: { code: string; message: string; exitCode: number }
}

export const issueTopic = 'issue'

export function issueWorkflow(deps: ShipDeps): Workflow<IssueInput, IssueOutcome> {
  const order = new StartOrder()
  return {
    name: 'feature.issue',
    version: 1,
    run: (started, input) =>
      deps.activity.during(started.runId, async () => {
        const { number, parent } = input
        const run = patientRun(started, { ...deps, header: eventHeader(input.feature) })
        order.enter(parent, run.runId)
        const position: StartPosition = {
          waitForEarlier: () => order.waitForEarlier(parent, run.runId),
          leave: () => order.leave(parent, run.runId),
        }
        try {
          const outcome = await runIssue(run, deps, input, position)
          await run.send(parent, issueTopic, { number, outcome } satisfies IssueNote)
          return outcome
        } catch (error) {
          if (error instanceof RunCancelled || error instanceof Stopped) throw error
          const ended = fatalError(error)
          await move(run, deps, input, 'interrupted', { reason: `the work was interrupted: ${ended.message}` })
          await run.send(parent, issueTopic, { number, fatal: ended } satisfies IssueNote)
          throw error
        } finally {
          position.leave()
        }
      }),
  }
}

/** Its position among the issues that were dispatched with it. */
interface StartPosition {
  waitForEarlier(): Promise<void>
  leave(): void
}

async function runIssue(run: Run, deps: ShipDeps, input: IssueInput, position: StartPosition): Promise<IssueOutcome> {
  const before = await findExistingWork(run, deps, input, 'look for work')
  const first = dispatchStep({ before })
  if (first === 'done') return markAlreadyDone(run, deps, input, before)
  // A person may take a day to answer: do not hold up the others.
  if (first === 'ask') position.leave()
  const said = first === 'ask' ? await askAboutSuspect(run, deps, input, before) : undefined
  const answer = said?.answer
  if (said?.answer === 'done') return markDone(run, deps, input, said.by)
  if (!(await claimIssue(run, deps, input))) return { status: 'left', reason: 'another run is working on it' }
  const stopHeartbeat = await startHeartbeat(deps, input, run.runId)
  try {
    const under = await findExistingWork(run, deps, input, 'look again under the lock', answer !== undefined)
    const second = dispatchStep({ before, underLock: under, answer })
    if (second === 'done') return await markAlreadyDone(run, deps, input, under)
    const late = second === 'ask' ? await askAboutSuspect(run, deps, input, under) : undefined
    if (late?.answer === 'done') return await markDone(run, deps, input, late.by)
    await position.waitForEarlier()
    return await build(run, deps, input, position)
  } finally {
    stopHeartbeat()
    await releaseIssue(run, deps, input)
  }
}

function findExistingWork(
  run: Run,
  deps: ShipDeps,
  input: IssueInput,
  name: string,
  isAnswered = false,
): Promise<FoundWork> {
  const { feature, number } = input
  return run.step(name, async (step) => {
    const view = await readFeature(deps, feature)
    const found = await lookForWork(deps, view, issueIn(view, number), run.runId, step.signal)
    const isOpen = !isAnswered && preparedAnswer(suspicion(input, found), input) === null
    // Shown while the question is open.
    if (dispatchStep({ before: found }) === 'ask' && isOpen) {
      const evidence = found.evidence.map(({ kind, detail }) => ({ kind, detail }))
      step.emit(
        duplicateSuspected.create(eventHeader(feature, run.runId), { issue: number, evidence, signs: found.signs }),
      )
    }
    return found
  })
}

async function build(run: Run, deps: ShipDeps, input: IssueInput, position: StartPosition): Promise<IssueOutcome> {
  const { feature, number, smart } = input
  const given = await run.step('begin issue', async (step) => {
    const view = await readFeature(deps, feature)
    const issue = issueIn(view, number)
    emit(step, moveEvent(eventHeader(feature, run.runId), issue, 'started'))
    step.emit(issueStarted.create(eventHeader(feature, run.runId), { issue: number, session: run.runId }))
    const workspace = await deps.workspace()
    const start = await startOf(deps, view)
    const head = (await workspace.repository.resolve(integrationBranch(feature))) ?? start
    const { text, omitted } = await codingContextFor(workspace, head, view, issue, deps.countTokens)
    const context_ref = await deps.store.putPayload(text)
    const tokens = deps.countTokens(text)
    step.emit(contextInjected.create(eventHeader(feature, run.runId), { issue: number, context_ref, tokens, omitted }))
    const { targetPath, testPath, isGuess } = await pathsOf(deps, view, issue)
    const context = [
      ...(issue.context === undefined ? [] : [issue.context]),
      ...(isGuess ? [`The issue names no file; ${targetPath} and ${testPath} are only a suggestion.`] : []),
    ]
    const spec: Spec = {
      id: `${feature}-${number}`,
      description: issue.body ? `${issue.title}\n\n${issue.body}` : issue.title,
      acceptanceCriteria: issue.acceptance_criteria,
      targetPath,
      testPath,
      ...(context.length > 0 ? { context: context.join('\n\n') } : {}),
    }
    return { spec, isGuess, title: issue.title, start, main: view.main, knowledge: text }
  })
  position.leave()
  const handle = await run.start(
    deps.build,
    {
      spec: given.spec,
      strategy: 'auto',
      merge: false,
      issue: {
        feature,
        name: `${feature}#${number}`,
        title: given.title,
        smart,
        start: given.start,
        main: given.main,
        attempts: deps.settings.ship.retries + 1,
        knowledge: given.knowledge,
        ...(given.isGuess ? { isTargetGuessed: true } : {}),
      },
    },
    { id: `${run.runId}/build` },
  )
  const result = await deps.activity.whileWaiting(run.runId, () => handle.result())
  if (result.status === 'done') return finishIssue(run, deps, input, handle.id)
  const reason = await recordGivenUp(run, deps, input, result.reason ?? 'it could not be built')
  return { status: 'blocked', reason }
}

/** [FA1] The coordinator may have skipped the issue, or handed it to a person, before its attempts were used up. Returns the reason. */
function recordGivenUp(run: Run, deps: ShipDeps, { feature, number }: IssueInput, failure: string): Promise<string> {
  return run.step('retries_spent', async (step) => {
    const issue = issueIn(await readFeature(deps, feature), number)
    const last = issue.analyses.at(-1)
    const early = last?.by === 'coordinator' ? earlyEnds.get(last.recommendation) : undefined
    const reason = early ? last!.reason : blockedReason(failure, issue.failures)
    const changed = await changedByBuild(deps, `${run.runId}/build`)
    emit(step, moveEvent(eventHeader(feature, run.runId), issue, early ?? 'retries_spent', { reason, changed }))
    return reason
  })
}

const earlyEnds: ReadonlyMap<string, MoveCause> = new Map([
  ['skip', 'skipped'],
  ['escalate', 'handed_over'],
])

async function finishIssue(run: Run, deps: ShipDeps, input: IssueInput, build: string): Promise<IssueOutcome> {
  const { feature, number } = input
  const merge = await run.step('find merge', async () => {
    const events = await deps.store.read({ run: build, types: [mergeCompleted.type] })
    const top = events.findLast((event) => mergeCompleted.is(event) && event.data.path.length === 1)
    if (!top || !mergeCompleted.is(top)) {
      const { repository } = await deps.workspace()
      const head = await repository.resolve(integrationBranch(feature))
      const commit = head ?? (await startOf(deps, await readFeature(deps, feature)))
      return { commit, changes: [], tests: undefined }
    }
    const seen = await deps.store.read({ run: build, types: [evidenceRecorded.type] })
    const claims = seen.flatMap((event) =>
      evidenceRecorded.is(event) && event.data.purpose === 'claim' && event.data.tests ? [event.data.tests] : [],
    )
    return { commit: top.data.mergeCommit, changes: top.data.changes, tests: claims.at(-1)?.passed }
  })
  const { commit } = merge
  await move(run, deps, input, 'implemented')
  const files = await run.step('finish issue', async (step) => {
    const view = await readFeature(deps, feature)
    const touched = await touchedBy(await deps.workspace(), commit)
    const evidence = [{ kind: 'commit', detail: `${commit.slice(0, 10)} ${issueIn(view, number).title}` }]
    emit(
      step,
      moveEvent(eventHeader(feature, run.runId), issueIn(view, number), 'verified', {
        commit,
        done_by: 'commit',
        evidence,
      }),
    )
    step.emit(
      issueDone.create(eventHeader(feature, run.runId), {
        issue: number,
        commit,
        files: touched.map(({ path }) => path),
        ...(merge.tests === undefined ? {} : { tests: merge.tests }),
      }),
    )
    return touched
  })
  await summarise(run, deps, input, commit, files, merge.changes)
  return { status: 'done', commit }
}

async function markAlreadyDone(run: Run, deps: ShipDeps, input: IssueInput, found: FoundWork): Promise<IssueOutcome> {
  const { evidence, commit } = found
  const byTests = !evidence.some(({ kind }) => kind === 'commit')
  await move(run, deps, input, 'found_done', {
    done_by: byTests ? 'tests' : 'commit',
    evidence,
    ...(commit === undefined || byTests ? {} : { commit }),
  })
  return { status: 'done', reason: 'already implemented' }
}

/** DU1: a file alone is weak evidence, so a person decides, or the answer that came with the command. */
async function askAboutSuspect(
  run: Run,
  deps: ShipDeps,
  input: IssueInput,
  found: FoundWork,
): Promise<{ answer: 'implement' | 'done'; by: string }> {
  const { feature, number } = input
  const text = suspicion(input, found)
  const prepared = preparedAnswer(text, input)
  if (prepared) return prepared
  const answer = await deps.activity.whileWaiting(run.runId, () =>
    askPerson(run, eventHeader(feature, run.runId), {
      text,
      choices: [...suspicionChoices],
      only_choices: true,
      context: {
        feature,
        issue: number,
        evidence: found.evidence,
        ...(found.excerpt ? { detail: found.excerpt } : {}),
      },
    }),
  )
  return { answer: answer.choice === 'done' ? 'done' : 'implement', by: 'a person' }
}

function suspicion({ feature, number }: IssueInput, { evidence }: DuplicateDecision): string {
  return `Issue #${number} of ${feature} may be implemented already: ${evidence.map(({ detail }) => detail).join('; ')}`
}

async function markDone(run: Run, deps: ShipDeps, input: IssueInput, by: string): Promise<IssueOutcome> {
  const detail = `marked as done by ${by === 'a person' ? by : `the ${by}`}`
  await move(run, deps, input, 'found_done', { done_by: 'person', evidence: [{ kind: 'person', detail }] })
  return { status: 'done', reason: detail }
}

async function move(
  run: Run,
  deps: ShipDeps,
  { feature, number }: IssueInput,
  cause: MoveCause,
  more: Parameters<typeof moveEvent>[3] = {},
) {
  await run.step(cause, async (step) => {
    const view = await readFeature(deps, feature)
    emit(step, moveEvent(eventHeader(feature, run.runId), issueIn(view, number), cause, more))
  })
}

function emit(step: StepContext, event: NewEvent | null): void {
  if (event) step.emit(event)
}

function fatalError(error: unknown): NonNullable<IssueNote['fatal']> {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'internal'
  const exitCode =
    code === 'script_exhausted'
      ? 2
      : error instanceof ConveneError
        ? error.exitCode
        : error instanceof RunFailed
          ? 1
          : 1
  return { code, message, exitCode }
}
