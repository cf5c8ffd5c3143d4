/** A commit's diff. */
import { lazy, Suspense } from 'react'
import type { DiffShape } from './diff-text.tsx'

export type { DiffShape }

const DiffText = lazy(() => import('./diff-text.tsx').then(({ DiffText }) => ({ default: DiffText })))

export function Diff({ build, commit, shape }: { build: string; commit: string; shape: DiffShape }) {
  return (
    <Suspense fallback={<p className="pulse text-small text-ink-3">Loading…</p>}>
      <DiffText build={build} commit={commit} shape={shape} />
    </Suspense>
  )
}
