/** What was said about a node's work: by its reviewers, and by Convene when it refused a reply. */
import type { BuildView, NodeView } from '../../../../src/build/view.ts'
import { AgentName } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { clock } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Unfold } from '../../ui/unfold.tsx'
import { Problems } from '../new/problems.tsx'
import { askLabel, attemptLabel } from '../view/labels.ts'

/** What each review said, the last one at the end. */
export function Reviews({ node: { reviews } }: { node: NodeView }) {
  if (reviews.length === 0) return null
  return (
    <Section title="Review">
      <ul className="space-y-2.5" data-testid="reviews">
        {reviews.map(({ ts, agent, exit, words, refused }) => (
          <li key={`${ts} ${exit}`} className="text-small">
            <span className="flex flex-wrap items-center gap-x-2">
              {agent ? <AgentName name={agent} /> : null}
              <Chip tone={exit === 'Approved' && !refused ? 'ok' : 'warn'}>
                {refused ? 'approval refused' : reviewLabel[exit]}
              </Chip>
              <time dateTime={ts} className="numbers text-tiny text-ink-3">
                {clock(ts)}
              </time>
            </span>
            {words.map((text) => (
              <p key={text} className="mt-0.5 whitespace-pre-line wrap-anywhere">
                {text}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Every reply that Convene refused, each unfolded on request. */
export function Refusals({ view, node }: { view: BuildView; node: NodeView }) {
  const asks = node.asks.filter(({ refused }) => refused !== undefined)
  if (asks.length === 0) return null
  return (
    <Section title="Refused by Convene">
      <ul className="space-y-1" data-testid="refusals">
        {asks.map(({ ask, kind, agent, attempt, refused = [] }) => (
          <li key={ask} className="text-small">
            <AgentName name={agent} /> {(askLabel[kind] ?? kind).toLowerCase()}, {attemptLabel(attempt, view.attempts)}
            <Unfold label={refused.map(({ rule, message }) => `${rule} ${message.split('\n')[0]}`).join('; ')}>
              <Problems problems={refused} />
            </Unfold>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const reviewLabel = { Approved: 'approved', MoreTests: 'asked for more', Reject: 'rejected' } as const
