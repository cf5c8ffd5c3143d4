/** Every feature with its progress; an introduction while there are none. */
import { featureAddress, newAddress } from '../data/addresses/ship.ts'
import { useList } from '../data/feed/followed-list.ts'
import { StatusChip } from '../ui/chip.tsx'
import { CutName } from '../ui/cut-name.tsx'
import { plural } from '../ui/format.ts'
import { CardLink, ListPage } from '../ui/page/list-page.tsx'
import { narrowScreen, useMedia } from '../ui/use-media.ts'
import { SyncStatus } from './sync-status.tsx'
import { features } from './view/features-store.ts'
import { type ListedFeature, lineLabel } from './view/listed-features.ts'

export function FeaturesPage() {
  const { lines, problem } = useList(features)
  const narrow = useMedia(narrowScreen)
  return (
    <ListPage
      title="Features"
      lines={lines}
      keyOf={({ feature }) => feature}
      line={(line) => <Line line={line} />}
      problem={problem}
      retry={() => features.read()}
      start={{ at: newAddress('goal'), label: 'Ship a goal', first: 'Ship a goal' }}
      otherwise={{ at: newAddress('issues'), label: 'Greenlight issues', first: 'I have issues already' }}
      empty={{
        title: 'Ship turns one goal into merged code',
        about:
          'A plan becomes issues; each issue is built and verified in dependency order. The board follows git: committed work is never built twice, and reverted work is ready again.',
        command: 'convene ship "your goal"',
      }}
      testId="features"
    >
      {narrow ? <SyncStatus feature={null} /> : null}
    </ListPage>
  )
}

function Line({ line }: { line: ListedFeature }) {
  const { word, tone } = lineLabel(line)
  return (
    <CardLink href={featureAddress(line.feature)} data-testid="feature-line">
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <b className="min-w-0 truncate text-title font-semibold">
          <CutName name={line.feature} />
        </b>
        <StatusChip word={word} tone={tone} />
        <span className="flex-1" />
        <span className="text-small text-ink-2">
          {line.issues === 0 ? 'no issues yet' : `${line.done} of ${plural(line.issues, 'issue')} done`}
        </span>
      </span>
      {line.ship?.goal ? <span className="mt-0.5 block truncate text-small text-ink-2">{line.ship.goal}</span> : null}
      <Progress line={line} />
    </CardLink>
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
