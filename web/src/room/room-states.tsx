/** What a room shows while it loads, fails, or does not exist. */
import { Button } from '../ui/button.tsx'

export function Loading() {
  return (
    <div role="status" className="flex-1 p-5">
      <span className="sr-only">Loading the room…</span>
      <div aria-hidden="true" className="mx-auto max-w-[860px] space-y-6 opacity-60">
        {[64, 90, 52].map((width) => (
          <div key={width} className="grid grid-cols-[28px_1fr] gap-2.5">
            <span className="pulse size-7 rounded-lg bg-line" />
            <span className="space-y-2 pt-1">
              <span className="pulse block h-3 w-24 rounded bg-line" />
              <span className="pulse block h-3 rounded bg-line" style={{ width: `${width}%` }} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

export function RoomFailed({ problem, retry }: { problem: string | undefined; retry(): void }) {
  return (
    <div className="grid flex-1 place-items-center p-5 text-center">
      <div>
        <h2 className="text-title font-semibold">The room could not be loaded</h2>
        <p className="mt-1 mb-3 text-ink-2">{problem}</p>
        <Button onClick={retry}>Try again</Button>
      </div>
    </div>
  )
}

export function NoRooms({ onNew }: { onNew(): void }) {
  return (
    <main className="grid flex-1 place-items-center overflow-auto p-6">
      <div className="max-w-md">
        <h1 className="text-large font-semibold">A room is where you and your agents talk</h1>
        <p className="mt-2 text-ink-2">
          Ask once. Each agent proposes an answer and how confident it is; a rule, not a model, decides who answers: one
          alone, several together, or one after reading another. You can see why, and override it.
        </p>
        <figure className="mt-4 rounded-[10px] border border-line bg-panel p-3.5 text-small">
          <figcaption className="caption mb-1">For example</figcaption>
          “Should retries of a failed charge live in the API or in the worker?”
        </figure>
        <Button weight="primary" className="mt-4" data-testid="first-room" onClick={onNew}>
          Create the first room
        </Button>
      </div>
    </main>
  )
}
