/** The decision register with its filters, and the open questions, risks and assumptions. */
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { PlanView } from '../../../../src/plan/view.ts'
import type { PhaseId } from '../../../../src/rules/plan/phase-table.ts'
import { phaseAddress } from '../../data/addresses/plan.ts'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { Section } from '../../ui/section.tsx'
import { phaseTitle } from '../view/labels.ts'
import {
  type Decided,
  everything,
  filtered,
  openQuestionsOf,
  type RegisterFilter,
  risksOf,
  saidOnce,
  standingOf,
} from '../view/register.ts'

const sureness: Record<string, Tone> = { HIGH: 'ok', MEDIUM: 'warn', LOW: 'bad' }
const severity: Record<string, Tone> = {
  CRITICAL: 'bad',
  HIGH: 'bad',
  MAJOR: 'warn',
  MEDIUM: 'warn',
  MINOR: 'plain',
  LOW: 'plain',
}

export function DecisionRegister({ view }: { view: PlanView }) {
  const [filter, setFilter] = useState<RegisterFilter>(everything)
  const { decisions } = view
  const shown = filtered(decisions, filter)
  const phases = [...new Set(decisions.map(({ phase }) => phase))]
  const change = (part: Partial<RegisterFilter>) => setFilter({ ...filter, ...part })
  if (decisions.length === 0) return <p className="text-small text-ink-3">No decisions yet.</p>
  return (
    <div data-testid="register">
      <div className="mb-2 flex flex-wrap gap-1.5">
        <Choice
          label="Which decisions"
          value={filter.standing}
          onChange={(standing) => change({ standing })}
          options={[
            ['stands', 'standing'],
            ['superseded', 'superseded'],
            ['withdrawn', 'withdrawn'],
            ['all', 'all'],
          ]}
        />
        <Choice
          label="Phase"
          value={filter.phase}
          onChange={(phase) => change({ phase })}
          options={[['all', 'phase'], ...phases.map((id): [PhaseId, string] => [id, phaseTitle(id)])]}
        />
        <Choice
          label="Confidence"
          value={filter.confidence}
          onChange={(confidence) => change({ confidence })}
          options={[
            ['all', 'confidence'],
            ['HIGH', 'high'],
            ['MEDIUM', 'medium'],
            ['LOW', 'low'],
          ]}
        />
        <input
          type="search"
          aria-label="Search in the decisions"
          placeholder="Search"
          value={filter.text}
          onChange={(event) => change({ text: event.target.value })}
          className="h-[26px] min-w-34 flex-1 rounded-md border border-line bg-bg px-2 text-small placeholder:text-ink-3"
        />
      </div>
      <p role="status" className="sr-only">
        {shown.length} of {decisions.length} decisions
      </p>
      {shown.length === 0 ? (
        <p className="text-small text-ink-3">None of the {decisions.length} decisions is like that.</p>
      ) : (
        <DecisionList run={view.run} decisions={shown} />
      )}
    </div>
  )
}

export function DecisionList({ run, decisions }: { run: string; decisions: readonly Decided[] }) {
  return (
    <ul className="space-y-1.5">
      {decisions.map((one) => (
        <li key={one.seq}>
          <Entry run={run} one={one} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ run, one }: { run: string; one: Decided }) {
  const { id, decision, rationale, confidence, supersedes = [], resolves = [], contradicts = [] } = one.decision
  const standing = standingOf(one)
  return (
    <article
      aria-label={`Decision ${id}`}
      data-testid="decision"
      data-standing={standing}
      className="rounded-lg bg-sunken px-2.5 py-2 text-small"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <b className="numbers font-medium">{id}</b>
        <Chip tone={sureness[confidence] ?? 'plain'} className="text-tiny!">
          {confidence.toLowerCase()}
        </Chip>
        {standing === 'stands' ? null : (
          <Chip className="text-tiny!">
            {standing === 'superseded' ? `superseded by ${one.supersededBy}` : 'withdrawn: its phase was sent back'}
          </Chip>
        )}
        <PhaseLink run={run} phase={one.phase} />
      </div>
      <p className={`mt-0.5 wrap-anywhere ${standing === 'stands' ? '' : 'text-ink-3 line-through'}`}>{decision}</p>
      {rationale ? <p className="text-ink-2 wrap-anywhere">{rationale}</p> : null}
      {supersedes.length + resolves.length + contradicts.length > 0 ? (
        <p className="text-ink-3 wrap-anywhere">
          {[
            supersedes.length > 0 ? `replaces ${supersedes.join(', ')}` : '',
            resolves.length > 0 ? `answers ${resolves.join(', ')}` : '',
            contradicts.length > 0 ? `contradicts ${contradicts.join(', ')}` : '',
          ]
            .filter(Boolean)
            .join('; ')}
        </p>
      ) : null}
    </article>
  )
}

export function PhaseLink({ run, phase }: { run: string; phase: PhaseId }) {
  return (
    <Link href={phaseAddress(run, phase)} className="ml-auto shrink-0 text-tiny text-accent hover:underline">
      {phaseTitle(phase)}
    </Link>
  )
}

/** Open questions, risks and assumptions of the whole plan, or of one phase. */
export function Concerns({ view, phase }: { view: PlanView; phase?: PhaseId }) {
  const ofPhase = <Item extends { phase: PhaseId }>(items: readonly Item[]) =>
    phase === undefined ? items : items.filter((one) => one.phase === phase)
  const [asked, found] = [openQuestionsOf(view), risksOf(view)]
  const questions = phase === undefined ? saidOnce(asked) : ofPhase(asked)
  const risks = phase === undefined ? saidOnce(found) : ofPhase(found)
  const assumptions = ofPhase(view.assumptions)
  const linked = phase === undefined
  return (
    <>
      {questions.length > 0 ? (
        <Section title="Open questions">
          <List>
            {questions.map(({ id, question, priority, phase: from }) => (
              <Line key={`${from} ${id}`} id={id} word={priority} tone={sureness[priority] === 'ok' ? 'warn' : 'plain'}>
                {question}
                {linked ? <PhaseOf run={view.run} phase={from} /> : null}
              </Line>
            ))}
          </List>
        </Section>
      ) : null}
      {risks.length > 0 ? (
        <Section title="Risks">
          <List>
            {risks.map(({ id, risk, severity: word, mitigation, phase: from }) => (
              <Line key={`${from} ${id}`} id={id} word={word} tone={severity[word.toUpperCase()] ?? 'plain'}>
                {risk}
                {mitigation ? <span className="text-ink-2"> → {mitigation}</span> : null}
                {linked ? <PhaseOf run={view.run} phase={from} /> : null}
              </Line>
            ))}
          </List>
        </Section>
      ) : null}
      {assumptions.length > 0 ? (
        <Section title="Assumptions made without asking">
          <List>
            {assumptions.map(({ question, assumption, phase: from }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: assumptions stay in their places
              <li key={index} data-testid="assumption" className="rounded-lg bg-warn-soft px-2.5 py-2 wrap-anywhere">
                {question} <b className="font-medium">→ {assumption}</b>
                {linked ? <PhaseOf run={view.run} phase={from} /> : null}
              </li>
            ))}
          </List>
        </Section>
      ) : null}
    </>
  )
}

function PhaseOf({ run, phase }: { run: string; phase: PhaseId }) {
  return (
    <>
      {' '}
      <PhaseLink run={run} phase={phase} />
    </>
  )
}

const List = ({ children }: { children: ReactNode }) => <ul className="space-y-1.5 text-small">{children}</ul>

function Line({ id, word, tone, children }: { id: string; word: string; tone: Tone; children: ReactNode }) {
  return (
    <li className="rounded-lg bg-sunken px-2.5 py-2 wrap-anywhere">
      <b className="numbers mr-1.5 font-medium">{id}</b>
      {children}{' '}
      <Chip tone={tone} className="text-tiny!">
        {word.toLowerCase()}
      </Chip>
    </li>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: [Value, string][]
  onChange(value: Value): void
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
      className="h-[26px] min-w-0 flex-1 basis-20 rounded-md border border-line bg-bg px-1 text-small"
    >
      {options.map(([id, word]) => (
        <option key={id} value={id}>
          {word}
        </option>
      ))}
    </select>
  )
}
