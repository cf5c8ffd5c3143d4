/** The build as a whole: its result, its strategy, the exits it took and what each node cost. */
import { Link } from 'wouter'
import type { BuildView } from '../../../../src/build/view.ts'
import type { Cost } from '../../../../src/kernel/ask/cost.ts'
import { nodeAddress } from '../../data/addresses/build.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CostTable } from '../../ui/cost-table.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { capitalised, clock, plural, shortCommit } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import type { ShownStatus } from '../view/labels.ts'
import { keyOf } from '../view/tree.ts'
import { whoDidWhat } from '../view/who-did-what.ts'

/** The last few; the rest is in the nodes. */
const mostExits = 40
/** Those that cost most. */
const mostNodes = 12

interface BuildOverviewProps {
  view: BuildView
  status: ShownStatus
  /** The page beside it says what is built. */
  brief?: boolean
}

export function BuildOverview({ view, status, brief = false }: BuildOverviewProps) {
  return (
    <div data-testid="build-overview">
      {brief ? null : (
        <>
          <h2 className="mb-1.5 text-[13px] font-semibold wrap-anywhere">{view.spec}</h2>
          <p className="text-small whitespace-pre-line text-ink-2 wrap-anywhere">{view.description}</p>
        </>
      )}
      <Result view={view} status={status} />
      <Section title="Why this strategy">
        <p className="rounded-lg bg-sunken px-2.5 py-2 text-small">
          <b className="font-medium">{capitalised(view.strategy ?? 'deciding')}</b>: {view.because}.{' '}
          {view.strategy === 'solo'
            ? 'One agent writes interface, tests and code in one go; the same checks apply, and a review follows.'
            : `Plan, tests, code and review are steps of their own${view.nodes.length > 1 ? '; parts are built in parallel' : ''}.`}{' '}
          {whoDidWhat(view)}
        </p>
      </Section>
      <Section title="Commands">
        <Facts>
          {Object.entries(view.commands).map(([name, command]) =>
            command ? (
              <Fact key={name} name={name}>
                <code className="numbers">{command}</code>
              </Fact>
            ) : null,
          )}
        </Facts>
      </Section>
      <CostByNode view={view} />
      <Exits view={view} />
    </div>
  )
}

function Result({ view, status }: { view: BuildView; status: ShownStatus }) {
  if (status !== 'done' || !view.commit) return null
  const merge = `git merge ${view.branch}`
  return (
    <Section title="Result">
      <Facts>
        <Fact name="commit">
          <code className="numbers">{shortCommit(view.commit)}</code>
        </Fact>
        {view.merged ? (
          <Fact name="merged into">{view.target}</Fact>
        ) : (
          <Fact name="to merge">
            <span className="flex items-center gap-0.5">
              <code className="numbers min-w-0">
                <CutName name={merge} />
              </code>
              <CopyButton text={merge} label="Copy the command" className="size-6" />
            </span>
          </Fact>
        )}
      </Facts>
    </Section>
  )
}

function CostByNode({ view }: { view: BuildView }) {
  const asked = view.nodes.filter(({ cost }) => cost.asks > 0)
  if (asked.length === 0) return null
  const dearest = asked.toSorted((one, other) => weight(other.cost) - weight(one.cost)).slice(0, mostNodes)
  const left = asked.length - dearest.length
  return (
    <Section title="Cost">
      <CostTable
        of="node"
        lines={dearest.map(({ path, id, cost }) => ({ key: keyOf(path), name: id, cost }))}
        total={{ name: left > 0 ? `total, including ${plural(left, 'more node')}` : 'total', cost: view.cost }}
      />
    </Section>
  )
}

/** Where a price is unknown, tokens tell. */
const weight = ({ usd, tokens }: Cost) => (usd ?? 0) * 1e6 + tokens

function Exits({ view }: { view: BuildView }) {
  const shown = view.routes.slice(-mostExits).reverse()
  if (shown.length === 0) return null
  return (
    <Section title="Exits, newest first">
      <ol className="space-y-1 text-small" data-testid="exits">
        {shown.map((route) => (
          <li key={route.seq} className="flex items-baseline gap-2">
            <time dateTime={route.ts} className="numbers shrink-0 text-tiny text-ink-3">
              {clock(route.ts)}
            </time>
            <Link href={nodeAddress(view.id, keyOf(route.path))} className="min-w-0 hover:underline">
              <CutName name={route.path.at(-1)!} />
            </Link>
            <span
              className={`ml-auto shrink-0 ${route.action === 'escalate' ? 'text-warn' : 'text-ink-2'}`}
              title={route.to.length > 0 ? `to ${route.to.join(', ')}` : 'to a person'}
            >
              {route.exit}
              {route.capped ? ` (cap: ${route.capped})` : ''}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
