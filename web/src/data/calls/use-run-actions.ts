/** Stops and resumes a run. */
import { type Actions, useActions } from '../use-actions.ts'
import { resumeRun, stopRun } from './rooms.ts'

export interface RunActions extends Pick<Actions, 'busy' | 'problem'> {
  stop(): void
  resume(): void
}

export function useRunActions(run: string): RunActions {
  const { busy, problem, act } = useActions()
  return {
    busy,
    problem,
    stop: () => void act('stopping', () => stopRun(run)),
    resume: () => void act('resuming', () => resumeRun(run)),
  }
}
