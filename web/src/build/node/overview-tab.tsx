/** A node in short: what it is doing, why it was last sent back, its criteria and their tests. */
import { Fragment } from 'react'
import { Link } from 'wouter'
import type { BuildView, NodeView } from '../../../../src/build/view.ts'
import { nodeAddress } from '../../data/addresses/build.ts'
import { Chip, Dot } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { Elapsed } from '../../ui/elapsed.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { capitalised, clock, count, joinNames, money } from '../../ui/format.ts'
import { QuestionCard } from '../../ui/question-card.tsx'
import { Section } from '../../ui/section.tsx'
import { ProgressBar } from '../graph/progress-bar.tsx'
import { Problems } from '../new/problems.tsx'
import { criteriaOf, partsWith } from '../view/criteria.ts'
import { attemptLabel } from '../view/labels.ts'
import type { NodeCard } from '../view/node-card.ts'
import { keyOf } from '../view/tree.ts'
import { Refusals, Reviews } from './reviews.tsx'

interface OverviewTabProps {
  view: BuildView
  node: NodeView
  card: NodeCard
  /** The page shows the build's questions and every refusal itself. */
  alone?: boolean
}

export function OverviewTab({ view, node, card, alone = false }: OverviewTabProps) {
  const questions = view.questions.filter(
    ({ context }) => Array.isArray(context.path) && keyOf(context.path) === card.key,
  )
  const forecasts = view.forecasts.filter((one) => one.node === node.id || one.with === node.id)
  const refused = node.asks.findLast(({ refused }) => refused !== undefined)
  const isSettled = node.state === 'merged' || refused !== node.asks.findLast(({ kind }) => kind === refused?.kind)
  return (
    <div className="-mt-1">
      <div className="mb-3 flex flex-wrap items-center gap-1.5">
        <Chip tone={card.tone} data-testid="node-state">
          <Dot tone={card.tone} />
          {card.words}
        </Chip>
        {node.attempt > 0 && node.state !== 'merged' ? <Chip>{attemptLabel(node.attempt, view.attempts)}</Chip> : null}
        {node.tests ? <Chip tone={card.tests?.tone === 'bad' ? 'bad' : 'plain'}>{card.tests?.words}</Chip> : null}
      </div>
      <ProgressBar card={card} since={Number.POSITIVE_INFINITY} />
      <p className="mt-3 whitespace-pre-line wrap-anywhere">{node.description}</p>
      {node.reason ? <p className="mt-2 text-small text-bad wrap-anywhere">{capitalised(node.reason)}</p> : null}
      {(alone ? [] : questions).map((question) => (
        <div key={question.id} className="mt-3">
          <QuestionCard question={question} halted={view.status === 'stopped'} />
        </div>
      ))}
      {refused?.refused && !isSettled && !alone ? (
        <Section title={`Sent back, ${attemptLabel(refused.attempt, view.attempts)}`}>
          <Problems problems={refused.refused} />
        </Section>
      ) : null}
      <Criteria view={view} node={node} />
      <Reviews node={node} />
      {alone ? <Refusals view={view} node={node} /> : null}
      {forecasts.length > 0 ? (
        <Section title="Forecast">
          <ul className="space-y-1.5">
            {forecasts.map(({ node: one, with: other, files }) => (
              <li key={`${one} ${other}`} className="rounded-lg bg-warn-soft px-2.5 py-2 text-small">
                Would conflict with <b className="font-medium">{one === node.id ? other : one}</b> in{' '}
                <code className="numbers">{files.join(', ')}</code> if both were merged as they are.
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <Section title="Work">
        <Facts>
          {node.interfaceFile ? (
            <Fact name="interface">
              <code className="numbers">{node.interfaceFile}</code>
            </Fact>
          ) : null}
          {node.contractSuite ? (
            <Fact name="contract">
              <code className="numbers">{node.contractSuite}</code>
            </Fact>
          ) : null}
          <Fact name="branch">
            <span className="flex items-center gap-0.5">
              <code className="numbers min-w-0">
                <CutName name={node.branch} />
              </code>
              <CopyButton text={node.branch} label="Copy the branch" className="-my-1 size-6" />
            </span>
          </Fact>
          {node.depends_on.length > 0 ? <Fact name="after">{joinNames(node.depends_on)}</Fact> : null}
          {node.waiting_for.length > 0 ? <Fact name="waiting for">{joinNames(node.waiting_for)}</Fact> : null}
          {node.running && view.status === 'running' ? (
            <Fact name="running">
              <code className="numbers">{node.running.command}</code>{' '}
              <Elapsed since={node.running.since} until={null} />
            </Fact>
          ) : null}
          <Fact name="asked">
            <span className="numbers">{count(node.cost.asks)}×</span>, {count(node.cost.tokens)} tokens
            {node.cost.usd === null ? '' : `, ${money(node.cost.usd)}`}
          </Fact>
          <Fact name="time">
            <Elapsed since={node.started} until={card.finished} />
          </Fact>
        </Facts>
      </Section>
      {node.notes.length > 0 ? (
        <Section title="Notes">
          <ul className="space-y-1 text-small">
            {node.notes.map(({ ts, text }) => (
              <li key={`${ts} ${text}`} className="flex gap-2">
                <time dateTime={ts} className="numbers shrink-0 text-tiny leading-[1.7] text-ink-3">
                  {clock(ts)}
                </time>
                <span className="min-w-0 text-ink-2 wrap-anywhere">{text}</span>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </div>
  )
}

const marks = {
  passed: ['text-ok', 'passing'],
  failed: ['text-bad', 'failing'],
  unseen: ['text-ink-3', 'not run yet'],
} as const

function Criteria({ view, node }: { view: BuildView; node: NodeView }) {
  return (
    <Section title="Criteria and the tests that prove them">
      <ul className="space-y-2" data-testid="criteria">
        {criteriaOf(node).map(({ criterion, tests }) => (
          <li key={criterion.id} className="text-small">
            <span className="wrap-anywhere">
              <code className="numbers mr-1.5 rounded bg-sunken px-1 py-px text-tiny">{criterion.id}</code>
              {criterion.text}
            </span>
            <ul className="mt-0.5 space-y-0.5">
              {tests.map(({ name, outcome, from }) => (
                <li key={name} className={`flex items-baseline gap-1.5 pl-1 ${marks[outcome][0]}`}>
                  <span aria-hidden="true" className="size-1.5 shrink-0 -translate-y-px rounded-full bg-current" />
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  <span className="shrink-0 text-tiny">
                    {outcome === 'unseen' && from === 'review' ? 'named by the review' : marks[outcome][1]}
                  </span>
                </li>
              ))}
            </ul>
            {tests.length === 0 ? (
              <TestedInParts parts={partsWith(view.nodes, node, criterion.id)} build={view.id} />
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function TestedInParts({ parts, build }: { parts: readonly NodeView[]; build: string }) {
  if (parts.length === 0) return null
  return (
    <p className="mt-0.5 pl-1 text-ink-3">
      tested in{' '}
      {parts.map(({ id, path }, index) => (
        <Fragment key={id}>
          {index > 0 ? ', ' : ''}
          <Link href={nodeAddress(build, keyOf(path))} className="text-accent underline underline-offset-2">
            {id}
          </Link>
        </Fragment>
      ))}
    </p>
  )
}
