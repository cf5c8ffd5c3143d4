/** Runs a feature with the last options or new ones; stops and resumes it. */
import { useRef, useState } from 'react'
import { runFeature } from '../data/calls/features.ts'
import { resumeRun, stopRun } from '../data/calls/rooms.ts'
import { recall, remember } from '../data/memory.ts'
import { newId } from '../data/new-id.ts'
import type { Actions } from '../data/use-actions.ts'
import { useWatched } from '../data/watched.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { CheckOption } from '../ui/page/form.tsx'
import { StopResume } from '../ui/page/stop-resume.tsx'
import type { FeatureState } from './view/feature-store.ts'
import { shipSettings } from './view/ship-settings-store.ts'

export interface RunOptions {
  smart: boolean
  merge: boolean
  /** Left to the configuration where it is not chosen. */
  pull_request?: boolean
}

export const runOptions = (): RunOptions => ({
  smart: false,
  merge: false,
  ...recall<Partial<RunOptions>>('run-options'),
})

export function RunControl({ state, actions }: { state: FeatureState; actions: Actions }) {
  const { work, view, cards, isTimelineRead } = state
  const [choosing, setChoosing] = useState(false)
  const settings = useWatched(shipSettings)
  // A retry keeps the id, so only one run starts.
  const id = useRef(`run-${newId()}`)
  if (work) {
    const { busy, act } = actions
    const stop = () => void act('stopping', () => stopRun(work.root))
    const resume = () => void act('resuming', () => resumeRun(work.root))
    const isStopped = work.status === 'stopped'
    return <StopResume isRunning={!isStopped} isStopped={isStopped} actions={{ busy, stop, resume }} />
  }
  const open = cards.filter(({ column, state }) => state !== 'SPLIT' && (column === 'ready' || column === 'progress'))
  if (cards.length === 0 || !isTimelineRead) return null
  const run = async (options: RunOptions) => {
    const sent = await actions.act('running', () => runFeature(view.feature, { id: id.current, ...options }))
    if (sent) id.current = `run-${newId()}`
  }
  const { merge, smart } = runOptions()
  const said = [merge ? 'merges at the end' : '', smart ? 'with a coordinator' : ''].filter(Boolean).join(', ')
  return (
    <span className="flex items-center gap-0.5">
      <Button
        weight={open.length > 0 ? 'primary' : 'plain'}
        disabled={actions.busy !== null}
        title={said || 'Build what is ready, in order'}
        onClick={() => void run(runOptions())}
      >
        <Icon name="play" size={14} />
        {actions.busy === 'running' ? 'Starting…' : 'Run'}
      </Button>
      <IconButton icon="chevron" label="Run with options" aria-haspopup="dialog" onClick={() => setChoosing(true)} />
      {choosing ? (
        <RunDialog
          main={view.main}
          canOpenPullRequest={settings?.forge.off === null}
          ready={open.length}
          onClose={() => setChoosing(false)}
          onRun={(options) => {
            setChoosing(false)
            void run(options)
          }}
        />
      ) : null}
    </span>
  )
}

interface RunDialogProps {
  main: string
  /** A forge is configured. */
  canOpenPullRequest: boolean
  ready: number
  onRun(options: RunOptions): void
  onClose(): void
}

function RunDialog({ main, canOpenPullRequest, ready, onRun, onClose }: RunDialogProps) {
  const [options, setOptions] = useState(runOptions)
  const choose = (next: RunOptions) => {
    setOptions(next)
    remember('run-options', next)
  }
  return (
    <Modal title="Run" onClose={onClose}>
      <div className="p-4">
        <p className="mb-3 text-small text-ink-2">
          {ready === 0
            ? 'Nothing is ready; this only re-syncs with git.'
            : 'Builds what is ready in order, in parallel where issues are independent.'}
        </p>
        {[
          {
            name: 'merge' as const,
            label: `Merge into ${main || 'the checked-out branch'} at the end`,
            more: 'Only when every attempted issue is done.',
          },
          {
            name: 'smart' as const,
            label: 'With a coordinator',
            more: 'A model analyses failed attempts and may choose the order. Without it, rules decide.',
          },
          ...(canOpenPullRequest
            ? [
                {
                  name: 'pull_request' as const,
                  label: 'Open a pull request',
                  more: 'The branch is pushed once everything is done.',
                },
              ]
            : []),
        ].map(({ name, label, more }) => (
          <CheckOption
            key={name}
            label={label}
            more={more}
            checked={options[name] ?? false}
            onChange={(checked) => choose({ ...options, [name]: checked })}
            className="mb-2.5"
          />
        ))}
        <Button weight="primary" onClick={() => onRun(options)} data-autofocus className="mt-1">
          <Icon name="play" size={14} />
          Run
        </Button>
      </div>
    </Modal>
  )
}
