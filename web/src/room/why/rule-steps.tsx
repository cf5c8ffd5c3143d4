/** The steps the rule took, up to the one that decided. */
import { Icon } from '../../ui/icons.tsx'
import { Section } from '../../ui/section.tsx'
import type { Decision } from '../conversation/conversation-types.ts'
import { ladder } from './ladder.ts'

export function RuleSteps({ decision }: { decision: Decision }) {
  const rungs = ladder(decision)
  if (rungs.length === 0) return null
  return (
    <Section title="How the rule decided">
      <ol className="space-y-1.5">
        {rungs.map(({ rule, question, figures, leadsTo, fired }) => (
          <li key={rule} className={`grid grid-cols-[16px_1fr] gap-2 text-small ${fired ? 'text-ink' : 'text-ink-3'}`}>
            <span className={fired ? 'mt-0.5 text-ok' : 'mt-0.5'}>
              <Icon name={fired ? 'check' : 'close'} size={14} />
              <span className="sr-only">{fired ? 'Yes:' : 'No:'}</span>
            </span>
            <span>
              <span className={fired ? 'font-medium' : ''}>{question}</span>{' '}
              <span className="tabular-nums">{figures}</span>
              {fired ? <span className="text-ink-2"> → {leadsTo}</span> : null}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
