/** Every feature with its progress; an introduction while there are none. */
import { useLocation } from 'wouter'
import { featureAddress, newAddress } from '../data/addresses/ship.ts'
import { useList } from '../data/feed/followed-list.ts'
import { Button } from '../ui/button.tsx'
import { StatusChip } from '../ui/chip.tsx'
import { plural } from '../ui/format.ts'
import { CardLink, EmptyPage, ListPage, NewButton } from '../ui/page/list-page.tsx'
import { narrowScreen, useMedia } from '../ui/use-media.ts'
import { SyncStatus } from './sync-status.tsx'
import { features } from './view/features-store.ts'
import { type ListedFeature, lineLabel } from './view/listed-features.ts'

export function FeaturesPage() {
  const { lines, problem } = useList(features)
  const [, navigate] = useLocation()
  const narrow = useMedia(narrowScreen)
  const ship = () => navigate(newAddress('goal'))
  const greenlight = () => navigate(newAddress('issues'))
  return (
    <ListPage
      title="Features"
      lines={lines}
      keyOf={({ feature }) => feature}
      line={(line) => <Line line={line} />}
      problem={problem}
      retry={() => features.read()}
      actions={
        <>
          <Button onClick={greenlight}>Greenlight issues</Button>
          <NewButton label="Ship a goal" onClick={ship} />
        </>
      }
      empty={
        <EmptyPage
          title="Ship turns one goal into merged code"
          about="A plan becomes issues; each issue is built and verified in dependency order. The board follows git: committed work is never built twice, and reverted work is ready again."
          command='convene ship "your goal"'
        >
          <Button weight="primary" onClick={ship}>
            Ship a goal
          </Button>
          <Button onClick={greenlight}>I have issues already</Button>
        </EmptyPage>
      }
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
        <b className="min-w-0 truncate text-title font-semibold">{line.feature}</b>
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
