/** Every command Convene ran for a node and its result: failing tests first, output on request. */
import { useState } from 'react'
import type { EvidenceView, NodeView } from '../../../../src/build/view.ts'
import { readPayload } from '../../data/calls/builds.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Chip } from '../../ui/chip.tsx'
import { clock, duration, plural, shortCommit } from '../../ui/format.ts'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Unfold } from '../../ui/unfold.tsx'
import { evidenceTone, purposeLabel, testLabel } from '../view/labels.ts'
import { byteLabel, readableOutput, windowBefore } from './output-window.ts'

export function EvidenceTab({ node }: { node: NodeView }) {
  if (node.evidence.length === 0)
    return (
      <p className="text-small text-ink-3">
        Nothing has run yet. The commands that Convene runs, and their results, appear here.
      </p>
    )
  return (
    <ol className="space-y-3" data-testid="evidence">
      {node.evidence.toReversed().map((seen) => (
        <li key={seen.seq}>
          <Evidence seen={seen} />
        </li>
      ))}
    </ol>
  )
}

function Evidence({ seen }: { seen: EvidenceView }) {
  const { tests } = seen
  return (
    <article aria-label={purposeLabel(seen.purpose)} className="rounded-[10px] border border-line px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <b className="min-w-0 flex-1 font-semibold">{purposeLabel(seen.purpose)}</b>
        <Chip tone={evidenceTone(seen)}>
          {tests?.parsed ? testLabel(tests, seen.purpose === 'red') : endLabel(seen)}
        </Chip>
      </div>
      <pre className="numbers mt-1.5 overflow-x-auto rounded-lg bg-sunken px-2.5 py-1.5 text-[11.5px] whitespace-pre-wrap wrap-anywhere">
        $ {seen.command}
      </pre>
      <p className="numbers mt-1 text-tiny text-ink-3">
        {[
          clock(seen.ts),
          `exit code ${seen.exit_code}`,
          seen.reused ? 'result reused' : duration(seen.milliseconds),
          `at ${shortCommit(seen.commit)}`,
        ].join(' · ')}
        {' · '}
        <span className={`whitespace-nowrap ${seen.sandboxed ? '' : 'text-warn'}`}>
          {seen.sandboxed ? 'sandboxed' : 'no sandbox'}
        </span>
      </p>
      {tests && tests.list.length > 0 ? <Tests list={tests.list} skipped={tests.skipped} /> : null}
      {seen.output_ref && seen.output_bytes > 0 ? (
        <div className="mt-1.5">
          <Unfold label={`Output, ${byteLabel(seen.output_bytes)}`}>
            <Output reference={seen.output_ref} bytes={seen.output_bytes} />
          </Unfold>
        </div>
      ) : null}
    </article>
  )
}

const endLabel = ({ ended, exit_code }: EvidenceView) => (ended === 'exited' ? `exit code ${exit_code}` : ended)

const outcomeLabel: Record<string, string> = {
  'not-implemented': 'no code yet',
  'import-error': 'import failed',
}

/** Shows failed tests first and at most this many. */
const mostShown = 12

function Tests({ list, skipped }: { list: NonNullable<EvidenceView['tests']>['list']; skipped: number }) {
  const [all, setAll] = useState(false)
  const rank = (outcome: string) => (outcome === 'passed' ? 2 : outcome === 'skipped' ? 1 : 0)
  const sorted = list.toSorted((one, other) => rank(one.outcome) - rank(other.outcome))
  const shown = all ? sorted : sorted.slice(0, mostShown)
  const left = sorted.length - shown.length
  return (
    <>
      <ul className="mt-2 space-y-0.5 text-small">
        {shown.map(({ name, outcome }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tests may have the same name
          <li key={index} className="flex items-baseline gap-2">
            <span
              className={`w-[76px] shrink-0 text-tiny ${outcome === 'passed' ? 'text-ok' : outcome === 'skipped' ? 'text-ink-3' : 'text-bad'}`}
            >
              {outcomeLabel[outcome] ?? outcome}
            </span>
            <span className="min-w-0 text-ink-2 wrap-anywhere">{name}</span>
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="mt-1 text-small text-accent underline underline-offset-2"
        >
          {plural(left, 'more test')}
          {skipped > 0 ? `, ${skipped} skipped in all` : ''}
        </button>
      ) : null}
    </>
  )
}

/** Shows the end first, then earlier output on request. */
function Output({ reference, bytes }: { reference: string; bytes: number }) {
  const [windows, setWindows] = useState(1)
  let from = bytes
  for (let index = 0; index < windows; index += 1) from = windowBefore(from).start
  const range = { start: from, end: bytes }
  const loaded = useLoaded(`${reference} ${from}`, async () =>
    readableOutput(await readPayload(reference, range), from === 0),
  )
  return (
    <div data-testid="output">
      {from > 0 ? (
        <button
          type="button"
          onClick={() => setWindows(windows * 2)}
          className="mb-1 text-small text-accent underline underline-offset-2"
        >
          Show earlier output ({byteLabel(from)})
        </button>
      ) : null}
      {loaded.state === 'ready' ? (
        <pre className="numbers max-h-[50vh] overflow-auto rounded-lg bg-sunken px-2.5 py-2 text-[11.5px] leading-[1.5] whitespace-pre-wrap wrap-anywhere">
          {loaded.value}
        </pre>
      ) : (
        <LoadingText loaded={loaded} />
      )}
    </div>
  )
}
