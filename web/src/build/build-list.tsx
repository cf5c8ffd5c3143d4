/** All builds, newest first; and the nodes of the one that is open. */
import { Link, useLocation, useRoute } from 'wouter'
import type { BuildLine } from '../../../src/build/view.ts'
import { buildAddress, issueOfBuild } from '../data/addresses/build.ts'
import { useList } from '../data/feed/followed-list.ts'
import { useWatched } from '../data/watched.ts'
import { IconButton } from '../ui/button.tsx'
import { Dot } from '../ui/chip.tsx'
import { ago } from '../ui/format.ts'
import { NodeTree } from './graph/node-tree.tsx'
import { buildStore } from './view/build-store.ts'
import { builds } from './view/builds-store.ts'
import { statusLabel } from './view/labels.ts'

export function BuildList({ open }: { open: string | null }) {
  const { lines: known } = useList(builds)
  const [, navigate] = useLocation()
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2.5 py-3.5">
      <div className="mb-1 flex items-center justify-between pl-2">
        <h2 className="caption">
          <Link href="/builds" className="hover:text-ink">
            Builds
          </Link>
        </h2>
        <IconButton icon="plus" label="New build" onClick={() => navigate('/builds/new')} />
      </div>
      <nav aria-label="Builds">
        <ul>
          {known?.map((line) => (
            <li key={line.id}>
              <BuildLink line={line} isOpen={line.id === open} />
            </li>
          ))}
        </ul>
        {known?.length === 0 ? <p className="px-2 py-1 text-small text-ink-3">None yet.</p> : null}
      </nav>
      {open ? <Nodes build={open} /> : null}
    </div>
  )
}

function BuildLink({ line, isOpen }: { line: BuildLine; isOpen: boolean }) {
  const status = line.status === 'running' && line.questions > 0 ? 'waiting' : line.status
  const { word, tone } = statusLabel[status]
  const issue = issueOfBuild(line)
  return (
    <Link
      href={buildAddress(line.id)}
      aria-current={isOpen ? 'page' : undefined}
      className="flex items-center gap-2 rounded-[7px] px-2 py-[7px] text-ink-2 hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-ink"
    >
      <Dot tone={tone} />
      <span className="min-w-0 truncate font-medium">
        {issue ? (
          <>
            <span className="numbers text-ink-3">#{issue.number}</span> {line.description || issue.feature}
          </>
        ) : (
          line.spec || 'starting…'
        )}
      </span>
      <span className="sr-only">({word})</span>
      <span aria-hidden="true" className="ml-auto shrink-0 text-tiny text-ink-3">
        {line.status === 'running'
          ? `${line.merged}/${line.nodes}`
          : line.started
            ? ago(line.finished ?? line.started)
            : ''}
      </span>
    </Link>
  )
}

function Nodes({ build }: { build: string }) {
  const { cards, since } = useWatched(buildStore(build).state)
  const [, at] = useRoute('/builds/:build/nodes/*')
  if (cards.length === 0) return null
  const selected = at ? decodeURIComponent(at['*'] ?? '') : null
  return (
    <section>
      <h2 className="caption mt-5 mb-1.5 px-2">Nodes</h2>
      <NodeTree build={build} cards={cards} selected={selected} since={since} compact />
    </section>
  )
}
