/** Where something came from, as a chain of links: line, commit, issue, criterion, decision, turn, message. Pure. */

import type { Origin } from './origin.ts'
import { decisionTypes } from './overview.ts'

export interface OriginLink {
  what: 'asked' | 'commit' | 'issue' | 'criteria' | 'plan' | 'decisions' | 'turns' | 'message' | 'run'
  title: string
  lines: { seq?: number; ts?: string; actor?: string; text: string }[]
  /** How many more there are, if not all are listed. */
  more?: number
}

type OriginEvent = Origin['events'][number]

/** Long lists show only the last entries: those closest to the result. */
const maxLines = 8

export function chainOf(what: string, origin: Origin): OriginLink[] {
  const { commit, subject, author, issue, criteria, context, words, run, node, spec, events } = origin
  const line = /^(.+?):(\d+)(?::\d+)?$/.exec(what)
  const links: (OriginLink | null)[] = [
    {
      what: 'asked',
      title: line ? `Line ${line[2]}` : /^\d+$/.test(what) ? `Event ${what}` : 'Asked for',
      lines: [{ text: line ? line[1]! : /^\d+$/.test(what) ? (events.at(-1)?.type ?? '') : what }],
    },
    commit
      ? {
          what: 'commit',
          title: `Commit ${commit.slice(0, 10)}`,
          lines: [{ text: [subject, author && `by ${author}`].filter(Boolean).join(', ') }],
        }
      : null,
    issue ? { what: 'issue', title: `Issue #${issue.number}`, lines: [{ text: words.title ?? issue.feature }] } : null,
    criteria.length > 0 || spec
      ? {
          what: 'criteria',
          title: criteria.length > 1 ? 'Criteria' : 'Criterion',
          lines: [...words.criteria.map(({ text }) => ({ text })), ...(spec ? [{ text: `Spec ${spec}` }] : [])],
        }
      : null,
    context
      ? {
          what: 'plan',
          title: 'From the plan',
          lines: context
            .split('\n')
            .filter(Boolean)
            .map((text) => ({ text })),
        }
      : null,
    eventLink('decisions', 'Decisions', events.filter(isDecision)),
    eventLink(
      'turns',
      'Turns',
      events.filter(({ type }) => type === 'ask.finished'),
    ),
    eventLink(
      'message',
      'Message',
      events.filter(({ type }) => type === 'message.posted'),
    ),
    run ? { what: 'run', title: 'Run', lines: [{ text: node ? `${run}, node ${node}` : run }] } : null,
  ]
  return links.filter((link) => link !== null)
}

const isDecision = ({ type }: OriginEvent) => decisionTypes.some((each) => each === type)

function eventLink(what: OriginLink['what'], title: string, events: OriginEvent[]): OriginLink | null {
  if (events.length === 0) return null
  const shown = events.slice(-maxLines)
  return {
    what,
    title: events.length === 1 ? title.replace(/s$/, '') : `${title} (${events.length})`,
    lines: shown.map(({ seq, ts, type, actor, summary }) => ({
      seq,
      ts,
      ...(actor === undefined ? {} : { actor }),
      text: what === 'decisions' ? `${type} ${summary}`.trim() : summary || type,
    })),
    ...(events.length > shown.length ? { more: events.length - shown.length } : {}),
  }
}
