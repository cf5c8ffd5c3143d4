/** A highlighted diff, one file at a time. Large, so it loads with the first diff. */
import './diff.css'
import { DiffModeEnum, DiffView } from '@git-diff-view/react'
import { useMemo } from 'react'
import { getDiff } from '../../data/calls/builds.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { useWatched } from '../../data/watched.ts'
import { Chip } from '../chip.tsx'
import { LoadingText } from '../loading-text.tsx'
import { shownTheme, themeChoice } from '../theme.ts'
import { type FileDiff, languageOf, splitDiff } from './split-diff.ts'

export type DiffShape = 'unified' | 'split'

export function DiffText({ build, commit, shape }: { build: string; commit: string; shape: DiffShape }) {
  const loaded = useLoaded(commit, () => getDiff(build, commit))
  const text = loaded.state === 'ready' ? loaded.value.text : ''
  const files = useMemo(() => splitDiff(text), [text])
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  return (
    <div className="space-y-3" data-testid="diff">
      {files.map((file) => (
        <File key={file.newPath ?? file.oldPath} file={file} shape={shape} />
      ))}
      {files.length === 0 ? <p className="text-small text-ink-3">No differences.</p> : null}
      {loaded.value.cut ? (
        <p className="text-small text-warn">Too long to show in full; the rest is in git: {commit.slice(0, 10)}</p>
      ) : null}
    </div>
  )
}

/** Longer diffs are not highlighted: that would block the page. */
const longestColoured = 60_000

function File({ file, shape }: { file: FileDiff; shape: DiffShape }) {
  useWatched(themeChoice)
  const path = file.newPath ?? file.oldPath ?? ''
  const data = useMemo(() => {
    const lang = languageOf(path)
    return {
      oldFile: { fileName: file.oldPath ?? path, fileLang: lang },
      newFile: { fileName: file.newPath ?? path, fileLang: lang },
      hunks: [file.text],
    }
  }, [file, path])
  return (
    <section aria-label={path} className="overflow-hidden rounded-lg border border-line">
      <div className="flex items-center gap-2 border-b border-line bg-sunken px-2.5 py-1 text-small">
        <code className="numbers min-w-0 flex-1 truncate" title={path}>
          {path}
        </code>
        {file.status === 'changed' ? null : <Chip>{file.status}</Chip>}
        <span className="numbers text-tiny text-ok">+{file.added}</span>
        <span className="numbers text-tiny text-bad">−{file.removed}</span>
      </div>
      {file.text === '' ? (
        <p className="px-2.5 py-2 text-small text-ink-3">{file.isBinary ? 'Binary file.' : 'No lines changed.'}</p>
      ) : (
        <DiffView
          data={data}
          diffViewMode={shape === 'split' ? DiffModeEnum.Split : DiffModeEnum.Unified}
          diffViewHighlight={file.text.length <= longestColoured}
          diffViewTheme={shownTheme()}
          diffViewFontSize={12}
          diffViewWrap
        />
      )}
    </section>
  )
}
