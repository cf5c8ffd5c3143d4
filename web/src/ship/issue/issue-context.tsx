/** The context that the agents building an issue got, verbatim. */
import type { IssueView } from '../../../../src/ship/view.ts'
import { readPayload } from '../../data/calls/builds.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { count } from '../../ui/format.ts'
import { LoadingText } from '../../ui/loading-text.tsx'
import { LongText } from '../../ui/text/payload-text.tsx'

export function IssueContext({ issue: { context_ref } }: { issue: IssueView }) {
  if (context_ref === undefined)
    return (
      <p className="text-small text-ink-3">
        Nothing yet. When work starts, this shows the context its agents get: the project's own rules, its modules, and
        what earlier issues added.
      </p>
    )
  return <Context reference={context_ref} />
}

function Context({ reference }: { reference: string }) {
  const loaded = useLoaded(reference, async () => new TextDecoder().decode(await readPayload(reference)))
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  return (
    <div data-testid="issue-context">
      <div className="mb-1.5 flex items-center justify-between">
        <span className="text-small text-ink-2">{count(loaded.value.length)} characters, as the agents read them</span>
        <CopyButton text={loaded.value} label="Copy the context" className="size-6" />
      </div>
      <LongText text={loaded.value} />
    </div>
  )
}
