/** All builds, newest first, and the nodes of the open one. */
import { useLocation, useRoute } from 'wouter'
import type { BuildLine } from '../../../src/build/view.ts'
import { buildAddress, issueOfBuild } from '../data/addresses/build.ts'
import { useList } from '../data/feed/followed-list.ts'
import { useWatched } from '../data/watched.ts'
import { CutName } from '../ui/cut-name.tsx'
import { ago } from '../ui/format.ts'
import { SideLink, SideList } from '../ui/page/side-list.tsx'
import { NodeTree } from './graph/node-tree.tsx'
import { buildStore } from './view/build-store.ts'
import { builds } from './view/builds-store.ts'
import { lineStatus, statusLabel, titleOf } from './view/labels.ts'

export function BuildList({ open }: { open: string | null }) {
  const { lines } = useList(builds)
  const [, navigate] = useLocation()
  return (
    <SideList
      title="Builds"
      href="/builds"
      create="New build"
      onCreate={() => navigate('/builds/new')}
      lines={lines}
      keyOf={({ id }) => id}
      line={(line) => <BuildLink line={line} isOpen={line.id === open} />}
    >
      {open ? <Nodes build={open} /> : null}
    </SideList>
  )
}

function BuildLink({ line, isOpen }: { line: BuildLine; isOpen: boolean }) {
  const { word, tone } = statusLabel[lineStatus(line)]
  const issue = issueOfBuild(line)
  const { merged, nodes, started, finished } = line
  return (
    <SideLink
      href={buildAddress(line.id)}
      isOpen={isOpen}
      tone={tone}
      status={word}
      aside={line.status === 'running' ? `${merged}/${nodes}` : started ? ago(finished ?? started) : ''}
    >
      {issue ? (
        <>
          <span className="numbers text-ink-3">#{issue.number}</span> {titleOf(line, true)}
        </>
      ) : (
        <CutName name={titleOf(line, false)} />
      )}
    </SideLink>
  )
}

function Nodes({ build }: { build: string }) {
  const { cards, since } = useWatched(buildStore(build).state)
  const [, at] = useRoute('/builds/:build/nodes/*')
  // The page of a build of one node is the page of that node.
  if (cards.length < 2) return null
  const selected = at ? decodeURIComponent(at['*'] ?? '') : null
  return (
    <section>
      <h2 className="caption mt-5 mb-1.5 px-2">Nodes</h2>
      <NodeTree build={build} cards={cards} selected={selected} since={since} compact />
    </section>
  )
}
