/** Plays the sample: ships its goal from a room, after resetting a sample that was played before. */
import { useRef, useState } from 'react'
import { resetSample, type Sample, startShip } from '../../data/calls/ships.ts'
import { latestShip } from '../../data/feed/latest-ship.ts'
import { newId } from '../../data/new-id.ts'
import { useWatched } from '../../data/watched.ts'

export function useSample(room: string) {
  const project = useWatched(latestShip.project)
  const ship = useWatched(latestShip.view)
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // A retry after a lost connection keeps the id, so only one ship starts.
  const id = useRef(`ship-${newId()}`)
  const play = async ({ goal, mode, answers, played }: Sample) => {
    setStarting(true)
    setProblem(null)
    try {
      if (played) latestShip.project.set(await resetSample())
      await startShip({ id: id.current, goal, mode, answers, room, merge: true })
      id.current = `ship-${newId()}`
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setStarting(false)
    }
  }
  return { project, ship, sample: project?.sample ?? null, starting, problem, play }
}
