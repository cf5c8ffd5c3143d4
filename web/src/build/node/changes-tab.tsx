/** A node's commits, each with its diff. */
import { useState } from 'react'
import type { CommitView, NodeView } from '../../../../src/build/view.ts'
import { recall, remember } from '../../data/memory.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { plural, shortCommit } from '../../ui/format.ts'
import { Segmented } from '../../ui/page/segmented.tsx'
import { Diff, type DiffShape } from '../../ui/text/diff.tsx'
import { Unfold } from '../../ui/unfold.tsx'
import { commitLabel } from '../view/labels.ts'

export function ChangesTab({ build, node }: { build: string; node: NodeView }) {
  const [shape, setShape] = useState<DiffShape>(() => recall<DiffShape>('diff-shape') ?? 'unified')
  if (node.commits.length === 0) return <p className="text-small text-ink-3">Nothing has been committed yet.</p>
  const choose = (next: DiffShape) => {
    setShape(next)
    remember('diff-shape', next)
  }
  // Open the code first, not the tests.
  const first = node.commits.findLast(({ kind }) => kind === 'impl') ?? node.commits.at(-1)!
  return (
    <div data-testid="changes">
      <Segmented
        label="Diff layout"
        name="diff-shape"
        options={shapes}
        chosen={shape}
        onChoose={choose}
        className="mb-3"
      />
      <ol className="space-y-3">
        {node.commits.toReversed().map((commit) => (
          <li key={commit.commit}>
            <Commit build={build} commit={commit} shape={shape} startOpen={commit === first} />
          </li>
        ))}
      </ol>
    </div>
  )
}

interface CommitProps {
  build: string
  commit: CommitView
  shape: DiffShape
  startOpen: boolean
}

function Commit({ build, commit, shape, startOpen }: CommitProps) {
  return (
    <article
      aria-label={`${commitLabel[commit.kind] ?? commit.kind}, ${shortCommit(commit.commit)}`}
      className="rounded-[10px] border border-line px-3 py-2.5"
    >
      <div className="flex items-center gap-2">
        <b className="font-semibold">{commitLabel[commit.kind] ?? commit.kind}</b>
        <code className="numbers text-small text-ink-3">{shortCommit(commit.commit)}</code>
        <CopyButton text={commit.commit} label="Copy the commit" className="size-6" />
      </div>
      <ul className="mt-1 space-y-0.5 text-small">
        {commit.files.map(({ path, status }) => (
          <li key={path} className="flex items-baseline gap-2">
            <span className="w-14 shrink-0 text-tiny text-ink-3">{status}</span>
            <code className="numbers min-w-0 wrap-anywhere">{path}</code>
          </li>
        ))}
      </ul>
      <div className="mt-1.5">
        <Unfold label={`Diff of ${plural(commit.files.length, 'file')}`} startOpen={startOpen}>
          <Diff build={build} commit={commit.commit} shape={shape} />
        </Unfold>
      </div>
    </article>
  )
}

const shapes: { id: DiffShape; label: string }[] = [
  { id: 'unified', label: 'Unified' },
  { id: 'split', label: 'Split' },
]
