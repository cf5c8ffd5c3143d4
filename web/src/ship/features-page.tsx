/** Every feature with how far it is; before the first one, what the floor does. */
import { Link, useLocation } from 'wouter'
import { featureAddress, newAddress } from '../data/addresses/ship.ts'
import { useList } from '../data/feed/followed-list.ts'
import { Button } from '../ui/button.tsx'
import { Chip, Dot } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { plural } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { narrowScreen, useMedia } from '../ui/use-media.ts'
import { SyncStatus } from './sync-status.tsx'
import { features } from './view/features-store.ts'
import { type ListedFeature, lineLabel } from './view/listed-features.ts'

const command = 'convene ship "your goal"'

export function FeaturesPage() {
  const { lines: known, problem } = useList(features)
  const [, navigate] = useLocation()
  const narrow = useMedia(narrowScreen)
  if (known?.length === 0) return <NoFeatures />
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[980px] px-4 py-5 md:px-6">
        <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-large font-semibold">Features</h1>
          {known ? <Chip>{known.length}</Chip> : null}
          <span className="flex-1" />
          <Button onClick={() => navigate(newAddress('issues'))}>Greenlight issues</Button>
          <Button weight="primary" onClick={() => navigate(newAddress('goal'))}>
            <Icon name="plus" size={14} />
            Ship a goal
          </Button>
        </div>
        {known ? <Lines features={known} /> : <Reading problem={problem} />}
        {narrow ? <SyncStatus feature={null} /> : null}
      </div>
    </main>
  )
}

function Lines({ features }: { features: readonly ListedFeature[] }) {
  return (
    <ul className="space-y-2" data-testid="features">
      {features.map((line) => (
        <li key={line.feature}>
          <Line line={line} />
        </li>
      ))}
    </ul>
  )
}

function Line({ line }: { line: ListedFeature }) {
  const { word, tone } = lineLabel(line)
  return (
    <Link
      href={featureAddress(line.feature)}
      data-testid="feature-line"
      className="block rounded-[10px] border border-line bg-panel px-4 py-3 hover:border-line-strong"
    >
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <b className="min-w-0 truncate text-title font-semibold">{line.feature}</b>
        <Chip tone={tone}>
          <Dot tone={tone} />
          {word}
        </Chip>
        <span className="flex-1" />
        <span className="text-small text-ink-2">
          {line.issues === 0 ? 'no issues yet' : `${line.done} of ${plural(line.issues, 'issue')} done`}
        </span>
      </span>
      {line.ship?.goal ? <span className="mt-0.5 block truncate text-small text-ink-2">{line.ship.goal}</span> : null}
      <Progress line={line} />
    </Link>
  )
}

function Progress({ line: { issues, done, blocked } }: { line: ListedFeature }) {
  if (issues === 0) return null
  const part = (count: number) => ({ width: `${(count / issues) * 100}%` })
  return (
    <span aria-hidden="true" className="mt-2 flex h-1.5 overflow-hidden rounded-full bg-sunken">
      <span className="bg-ok" style={part(done)} />
      <span className="bg-bad" style={part(blocked)} />
    </span>
  )
}

function Reading({ problem }: { problem: string | undefined }) {
  if (problem === undefined)
    return (
      <div role="status" className="space-y-2 opacity-60">
        <span className="sr-only">Loading the features…</span>
        {[1, 2, 3].map((row) => (
          <div key={row} className="pulse h-[74px] rounded-[10px] bg-line" />
        ))}
      </div>
    )
  return (
    <div role="alert">
      <p className="mb-3 text-ink-2">The features could not be loaded. {problem}</p>
      <Button onClick={() => void features.read()}>Try again</Button>
    </div>
  )
}

function NoFeatures() {
  const [, navigate] = useLocation()
  return (
    <main className="grid flex-1 place-items-center overflow-auto p-6">
      <div className="max-w-lg">
        <h1 className="text-large font-semibold">Ship turns one goal into merged code</h1>
        <p className="mt-2 text-ink-2">
          A plan becomes issues; each issue is built and verified in dependency order. The board follows git: committed
          work is never built twice, and reverted work is ready again.
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button weight="primary" onClick={() => navigate(newAddress('goal'))}>
            Ship a goal
          </Button>
          <Button onClick={() => navigate(newAddress('issues'))}>I have issues already</Button>
        </div>
        <p className="mt-4 flex flex-wrap items-center gap-2 text-small text-ink-3">
          or in a terminal
          <span className="flex min-w-0 items-center gap-1 rounded-lg border border-line bg-panel py-0.5 pr-1 pl-3 text-ink">
            <code className="numbers min-w-0 truncate">{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </p>
      </div>
    </main>
  )
}
