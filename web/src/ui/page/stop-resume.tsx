/** Stops work that is running, or resumes work that was stopped. */
import type { RunActions } from '../../data/calls/use-run-actions.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icons.tsx'

interface StopResumeProps {
  isRunning: boolean
  isStopped: boolean
  actions: Pick<RunActions, 'busy' | 'stop' | 'resume'>
}

export function StopResume({ isRunning, isStopped, actions: { busy, stop, resume } }: StopResumeProps) {
  if (isRunning) {
    return (
      <Button weight="stop" onClick={stop} disabled={busy !== null} title="Stop (s). Nothing is lost">
        <Icon name="stop" size={14} />
        {busy === 'stopping' ? 'Stopping…' : 'Stop'}
      </Button>
    )
  }
  if (!isStopped) return null
  return (
    <Button weight="primary" onClick={resume} disabled={busy !== null} title="Resume where it stopped (s)">
      <Icon name="play" size={14} />
      {busy === 'resuming' ? 'Resuming…' : 'Resume'}
    </Button>
  )
}
