/** Every ask of a node: which agent, how it ended and what it cost; prompt and reply on request. */
import type { AskView, BuildView, NodeView } from '../../../../src/build/view.ts'
import { useDraft } from '../../data/feed/use-draft.ts'
import { AgentName } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { clock, count, duration, money, plural } from '../../ui/format.ts'
import { ExitText, PromptText } from '../../ui/text/payload-text.tsx'
import { Unfold } from '../../ui/unfold.tsx'
import { Problems } from '../new/problems.tsx'
import { askLabel, attemptLabel } from '../view/labels.ts'

export function AttemptsTab({ view, node }: { view: BuildView; node: NodeView }) {
  if (node.asks.length === 0) return <p className="text-small text-ink-3">No agent has been asked yet.</p>
  const over = view.status !== 'running' && view.status !== 'waiting'
  return (
    <ol className="space-y-3" data-testid="attempts">
      {node.asks.toReversed().map((ask) => (
        <li key={ask.ask}>
          <Ask ask={ask} attempts={view.attempts} over={over} />
        </li>
      ))}
    </ol>
  )
}

/** `over`: the build has ended, so an ask without an end was cut off. */
function Ask({ ask, attempts, over }: { ask: AskView; attempts: number | undefined; over: boolean }) {
  return (
    <article
      aria-label={`${askLabel[ask.kind] ?? ask.kind}, ${attemptLabel(ask.attempt, attempts)}`}
      className="rounded-[10px] border border-line px-3 py-2.5"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <b className="font-semibold">{askLabel[ask.kind] ?? ask.kind}</b>
        <AgentName name={ask.agent} className="text-small" />
        <span className="text-small text-ink-3">{attemptLabel(ask.attempt, attempts)}</span>
        <span className="ml-auto flex gap-1.5">
          {ask.nudged ? <Chip tone="warn">reminded</Chip> : null}
          <Ending ask={ask} over={over} />
        </span>
      </div>
      <p className="numbers mt-1 text-tiny text-ink-3">
        {[
          clock(ask.started),
          ask.milliseconds === undefined ? null : duration(ask.milliseconds),
          ask.tokens === undefined ? null : `${count(ask.tokens)} tok`,
          typeof ask.usd !== 'number' ? null : money(ask.usd),
          ask.rehearsal ? 'rehearsal' : null,
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </p>
      {ask.failure ? <p className="mt-1.5 text-small text-bad wrap-anywhere">{ask.failure}</p> : null}
      {ask.milliseconds === undefined && !over ? <Draft ask={ask.ask} /> : null}
      {ask.refused ? (
        <div className="mt-2">
          <Problems problems={ask.refused} />
        </div>
      ) : null}
      <div className="mt-2 space-y-1">
        {ask.prompt_ref ? (
          <Unfold label="Prompt">
            <PromptText reference={ask.prompt_ref} />
          </Unfold>
        ) : null}
        {ask.payload_ref ? (
          <Unfold label={`Exit: ${ask.exit}`}>
            <ExitText reference={ask.payload_ref} />
          </Unfold>
        ) : null}
        {ask.tools.length > 0 ? (
          <Unfold label={plural(ask.tools.length, 'tool call')}>
            <Tools tools={ask.tools} />
          </Unfold>
        ) : null}
      </div>
    </article>
  )
}

function Ending({ ask, over }: { ask: AskView; over: boolean }) {
  if (ask.refused) return <Chip tone="bad">refused</Chip>
  if (ask.failure) return <Chip tone="bad">no answer</Chip>
  if (ask.milliseconds === undefined) return over ? <Chip>not finished</Chip> : <Chip tone="live">in progress</Chip>
  const calm = ask.exit !== 'Stuck' && ask.exit !== 'ClarificationNeeded' && ask.exit !== 'Reject'
  return ask.exit ? <Chip tone={calm ? 'ok' : 'warn'}>{ask.exit}</Chip> : null
}

function Draft({ ask }: { ask: string }) {
  const text = useDraft(ask)
  if (!text) return null
  return (
    <p className="caret numbers mt-2 max-h-40 overflow-hidden rounded-lg bg-sunken px-2.5 py-2 text-[11.5px] wrap-anywhere">
      {text.slice(-1200)}
    </p>
  )
}

function Tools({ tools }: { tools: AskView['tools'] }) {
  return (
    <ol className="space-y-1 text-small">
      {tools.map(({ tool, summary, ok, milliseconds }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: only ever grows at its end
        <li key={index} className="flex items-baseline gap-2">
          <code className={`numbers shrink-0 ${ok ? 'text-ink-2' : 'text-bad'}`}>{tool}</code>
          <span className="min-w-0 flex-1 truncate text-ink-3" title={summary}>
            {summary}
          </span>
          <span className="numbers shrink-0 text-tiny text-ink-3">{duration(milliseconds)}</span>
        </li>
      ))}
    </ol>
  )
}
