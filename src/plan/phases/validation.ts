/** Phases 6 and 8: a panel scores the design, and later whether the tests cover it. PH4. */
import { dissentsToAmend, type Point } from '../../rules/plan/amendment.ts'
import { phasesOf, validationRounds } from '../../rules/plan/phase.ts'
import type { Phase } from '../plan.ts'
import { type Amended, amend } from '../team/amend.ts'
import { askPanel, dissentWords, type PanelResult } from '../team/panel.ts'
import { decisionSection, type PhaseResult } from '../team/phase-result.ts'
import { turnout } from '../wording.ts'

export async function validation(phase: Phase): Promise<PhaseResult & { panel: PanelResult }> {
  const panel = await askPanel(
    phase,
    validationRounds(phase.plan.input.mode),
    'Score the design: does it meet the request, fit the project, hold where it is stressed, and can it be built in the order it names?',
    [
      '10 points: would stake your name on it. 8: small flaws. 6: usable with care. Below 6: should not be built like this',
    ],
  )
  // RV4: with an expert review to come, its findings and these dissents go to one amend pass.
  const points = phasesOf(phase.plan.input.mode, phase.flags).includes('6b')
    ? []
    : validationPoints({ outcome: panel.level, dissents: panel.dissents })
  const amended = points.length > 0 ? await amend(phase, { points, files: ['design.md'], source: 'The panel' }) : null
  return { ...resultOf('Validation', panel, amended), panel }
}

/** RV4: what a YELLOW validation leaves to settle. */
export function validationPoints(standing: Parameters<typeof dissentsToAmend>[0]): Omit<Point, 'id'>[] {
  return dissentsToAmend(standing).map(({ member, text }) => ({ by: member, text, severity: 'MAJOR' }))
}

export async function coverage(phase: Phase): Promise<PhaseResult & { panel: PanelResult }> {
  const panel = await askPanel(
    phase,
    1,
    'Score the test plan: has every requirement a test that would fail without it, and are limits, errors and risks covered?',
    ['10 points: nothing is missing. 8: small gaps. 6: works with care. Below 6: important things are untested'],
  )
  return { ...resultOf('Coverage', panel), panel }
}

function resultOf(title: string, panel: PanelResult, amended: Amended | null = null): PhaseResult {
  const answered = `${panel.votes.length} of ${panel.members.length}`
  const standing =
    panel.level === null ? 'skipped, nobody answered' : `${panel.level}, ${turnout(answered, panel.missing)}`
  return {
    title,
    body: [panel.section, amended?.section ?? '', amended ? decisionSection(amended) : ''].filter(Boolean).join('\n\n'),
    text: `${title}: ${standing}. ${dissentWords(panel.dissents)}`.trim().slice(0, 1500),
    decisions: amended?.decisions ?? [],
    questions: [],
    risks: amended?.risks ?? [],
    more:
      panel.level === null
        ? { status: 'skipped', consensus_skipped: true, answered, missing: panel.missing }
        : {
            outcome: panel.level,
            answered,
            missing: panel.missing,
            ...(panel.dissents.length > 0 ? { dissents: panel.dissents } : {}),
          },
  }
}
