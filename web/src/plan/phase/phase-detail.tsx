/** One phase in full: outcome, members, agreement, documents and decisions. */

import { useState } from 'react'
import { requestWords } from '../../../../src/kernel/ask/cost.ts'
import type { PhaseView, PlanView } from '../../../../src/plan/view.ts'
import { flagLabel } from '../../../../src/rules/plan/words/flag-words.ts'
import { Chip, StatusChip } from '../../ui/chip.tsx'
import { Elapsed } from '../../ui/elapsed.tsx'
import { count, money } from '../../ui/format.ts'
import { attendanceOf, shortfallLabel } from '../view/attendance.ts'
import { phaseTitle, stateLabel } from '../view/labels.ts'
import { Amendments, Contradictions } from './amendments.tsx'
import { Artefacts } from './artefacts.tsx'
import { Card } from './card.tsx'
import { Convergence, WhereTheyStand } from './convergence.tsx'
import { Concerns, DecisionList } from './decisions.tsx'
import { Findings } from './findings.tsx'
import { Members } from './members.tsx'
import { isPanel, PanelVotes } from './panel-votes.tsx'
import { pointsOf } from './points.ts'
import { SpecifyGate } from './specify-gate.tsx'

interface PhaseDetailProps {
  view: PlanView
  phase: PhaseView
  over: boolean
}

export function PhaseDetail({ view, phase: newest, over }: PhaseDetailProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const passes = [...newest.earlier, newest]
  const phase = passes.find(({ pass }) => pass === chosen) ?? newest
  const isNewest = phase === newest
  const reviews = phase.id === '6b' ? view.reviews : []
  return (
    <article aria-label={phaseTitle(phase.id)} data-testid="phase-detail" data-phase={phase.id}>
      <Head phase={phase} over={over} isNewest={isNewest} />
      {passes.length > 1 ? <Passes passes={passes} shown={phase.pass} onPass={setChosen} /> : null}
      <Flags phase={phase} view={view} />
      {phase.pass === 0 ? (
        <p className="text-small text-ink-2">Not started.</p>
      ) : (
        <div className="grid gap-3 min-[760px]:grid-cols-2">
          {phase.text ? (
            <Card title="Summary" wide>
              <p className="text-small whitespace-pre-wrap wrap-anywhere">{phase.text.replaceAll('**', '')}</p>
            </Card>
          ) : null}
          {phase.id === '3' ? <SpecifyGate scored={view.specify} mode={view.mode} wide /> : null}
          <PanelVotes phase={phase} wide />
          {phase.id === '6b' ? <Findings reviews={reviews} phase={phase} wide /> : null}
          <Contradictions view={view} phase={phase.id} />
          <Amendments view={view} phase={phase.id} />
          {phase.convergence.length > 0 ? <Convergence points={pointsOf([...newest.earlier, newest])} wide /> : null}
          <WhereTheyStand measured={phase.convergence.at(-1)} />
          {isPanel(phase.id) ? null : <Members phase={phase} attendance={attendanceOf(phase, reviews)} over={over} />}
          <Artefacts key={phase.pass} artefacts={phase.artefacts} />
          <Decided view={view} phase={phase} />
        </div>
      )}
    </article>
  )
}

function Head({ phase, over, isNewest }: { phase: PhaseView; over: boolean; isNewest: boolean }) {
  const { word, tone } = isNewest ? stateLabel(phase, over) : { word: 'sent back', tone: 'plain' as const }
  const { asks, tokens, usd } = phase.cost
  return (
    <header className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <h2 className="text-large font-semibold">
        <span className="numbers font-normal text-ink-3">{phase.id}</span> {phaseTitle(phase.id)}
      </h2>
      <StatusChip word={word} tone={tone} data-testid="phase-state" />
      {phase.pass > 1 ? <Chip>pass {phase.pass}</Chip> : null}
      <span className="flex-1" />
      {asks > 0 ? (
        <span className="text-small text-ink-2">
          {requestWords(phase.cost)}, {count(tokens)} tokens
          {usd === null ? null : (
            <>
              , <span className="numbers">{money(usd)}</span>
            </>
          )}
        </span>
      ) : null}
      {phase.started ? (
        <span className="text-small text-ink-2">
          <Elapsed since={phase.started} until={phase.finished ?? (over ? phase.started : null)} />
        </span>
      ) : null}
    </header>
  )
}

interface PassesProps {
  passes: readonly PhaseView[]
  shown: number
  onPass(pass: number): void
}

function Passes({ passes, shown, onPass }: PassesProps) {
  return (
    <div
      role="radiogroup"
      aria-label="Pass"
      className="mb-3 inline-flex overflow-hidden rounded-lg border border-line text-small"
    >
      {passes.map(({ pass, tally }, index) => (
        <label
          key={pass}
          className="px-2.5 py-0.5 text-ink-2 not-first:border-l not-first:border-line has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input type="radio" name="pass" className="sr-only" checked={pass === shown} onChange={() => onPass(pass)} />
          {`Pass ${pass}`}
          {tally?.level ? `, ${tally.level}` : ''}
          {index < passes.length - 1 ? ' (sent back)' : ''}
        </label>
      ))}
    </div>
  )
}

/** Everything noted about how the phase went. */
function Flags({ phase, view }: { phase: PhaseView; view: PlanView }) {
  const lacks = shortfallLabel(phase, phase.id === '6b' ? view.reviews : [])
  const others = (phase.summary?.flags ?? []).map(flagLabel).filter((words) => !lacks.includes(words))
  const told = others.filter((words) => words !== flagLabel('degraded'))
  if (lacks.length + told.length === 0) return null
  return (
    <ul data-testid="flags" className="mb-3 space-y-1 rounded-[10px] bg-warn-soft px-4 py-2.5 text-small text-warn">
      {lacks.map((words) => (
        <li key={words} className="wrap-anywhere">
          <b className="font-semibold">Degraded:</b> {words}
        </li>
      ))}
      {told.map((words) => (
        <li key={words}>{words.charAt(0).toUpperCase() + words.slice(1)}</li>
      ))}
    </ul>
  )
}

function Decided({ view, phase }: { view: PlanView; phase: PhaseView }) {
  const decisions = view.decisions.filter((one) => one.phase === phase.id)
  if (decisions.length === 0 && !phase.summary) return null
  return (
    <Card title="Decisions" wide>
      {decisions.length > 0 ? (
        <DecisionList run={view.run} decisions={decisions} />
      ) : (
        <p className="text-small text-ink-3">No decisions.</p>
      )}
      <Concerns view={view} phase={phase.id} />
    </Card>
  )
}
