/** Every build with its status, cost and time; an introduction while there are none. */
import type { BuildLine } from '../../../src/build/view.ts'
import { buildAddress, issueOfBuild } from '../data/addresses/build.ts'
import { useList } from '../data/feed/followed-list.ts'
import { Chip, StatusChip } from '../ui/chip.tsx'
import { CutName } from '../ui/cut-name.tsx'
import { ElapsedOfLine } from '../ui/elapsed.tsx'
import { plural, since, spending } from '../ui/format.ts'
import { CardLink, ListPage } from '../ui/page/list-page.tsx'
import { builds } from './view/builds-store.ts'
import { detailOf, lineStatus, statusLabel, titleOf } from './view/labels.ts'

export function BuildsPage() {
  const { lines, problem } = useList(builds)
  return (
    <ListPage
      title="Builds"
      lines={lines}
      keyOf={({ id }) => id}
      line={(line) => <Line line={line} />}
      problem={problem}
      retry={() => builds.read()}
      start={{ at: '/builds/new', label: 'New build', first: 'Write a spec' }}
      empty={{
        title: 'A build turns a spec into a branch you can trust',
        about:
          "Agents plan, write failing tests first, then write the code, in parallel and outside your checkout. An agent's word is never enough: Convene runs every test itself and merges only what passes.",
        command: 'convene build spec.yaml',
      }}
      testId="builds"
    />
  )
}

function Line({ line }: { line: BuildLine }) {
  const status = lineStatus(line)
  const { word, tone } = statusLabel[status]
  const issue = issueOfBuild(line)
  return (
    <CardLink
      href={buildAddress(line.id)}
      data-testid="build-line"
      data-status={status}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1"
    >
      <span className="flex min-w-0 items-center gap-x-2.5 gap-y-1 max-sm:flex-wrap">
        <b className="min-w-0 truncate text-title font-semibold">
          {issue ? titleOf(line, true) : <CutName name={titleOf(line, false)} />}
        </b>
        <StatusChip word={word} tone={tone} />
        {issue ? (
          <Chip className="max-sm:hidden">
            issue #{issue.number} of {issue.feature}
          </Chip>
        ) : null}
        {line.rehearsal ? <Chip className="max-sm:hidden">rehearsal</Chip> : null}
      </span>
      <span className="justify-self-end text-small text-ink-3">{line.started ? since(line.started) : ''}</span>
      <span className="truncate text-small text-ink-2">
        {line.status === 'failed' && line.reason ? (
          <span className="text-bad">{line.reason}</span>
        ) : (
          detailOf(line, issue !== null)
        )}
      </span>
      <span className="flex justify-end gap-3 text-small whitespace-nowrap text-ink-2">
        <span className="max-sm:hidden">{line.strategy ?? ''}</span>
        <span className="max-sm:hidden">{`${line.merged} of ${plural(line.nodes, 'node')} merged`}</span>
        <span className="numbers">{spending(line.cost)}</span>
        <ElapsedOfLine line={line} />
      </span>
    </CardLink>
  )
}
