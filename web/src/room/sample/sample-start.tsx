/** The first thing in a fresh sample: its goal and a button that ships it. */
import { Button } from '../../ui/button.tsx'
import { useSample } from './use-sample.ts'

export function SampleStart({ room }: { room: string }) {
  const { sample, ship, starting, problem, play } = useSample(room)
  if (!sample || (ship && ship.stage !== 'over')) return null
  return (
    <section
      aria-label="Sample"
      data-testid="sample-start"
      className="mb-8 rounded-[12px] border border-line bg-panel px-5 py-4.5"
    >
      <p className="text-small text-ink-3">
        {sample.played ? 'A sample project, already shipped once' : 'A sample project, ready to work on'}
      </p>
      <h2 className="mt-1 text-large font-semibold">{sample.goal}</h2>
      <p className="mt-2 max-w-[60ch] text-ink-2">
        The agents discuss it here, plan it, build it in parallel, and merge what passes. They play a script, so no
        model is called; git, tests and merges are real. It takes about half a minute.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button weight="primary" className="h-9! px-4!" disabled={starting} onClick={() => void play(sample)}>
          {starting ? 'Starting…' : sample.played ? 'Play it again' : 'Ship the sample goal'}
        </Button>
        <span className="text-small text-ink-3">
          {sample.played ? 'Resets the sample project first. ' : ''}Every page shows its progress.
        </span>
      </div>
      {problem ? (
        <p role="alert" className="mt-3 text-small text-bad">
          {problem}
        </p>
      ) : null}
    </section>
  )
}
