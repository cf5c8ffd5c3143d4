/** What was wrong with a reply, with the rules it broke. */
import type { Problem } from '../../../../src/rules/schema/problem.ts'

export function Problems({ problems }: { problems: readonly Problem[] }) {
  return (
    <ul className="space-y-1.5" data-testid="problems">
      {problems.map(({ rule, message, path }) => {
        const [first, ...rest] = message.split('\n')
        const more = rest.join('\n').trim()
        return (
          <li key={`${rule} ${path} ${message}`} className="rounded-lg bg-bad-soft px-2.5 py-2 text-small">
            <span className="flex items-baseline gap-2">
              <code className="numbers shrink-0 text-tiny font-medium text-bad">{rule}</code>
              <span className="min-w-0 wrap-anywhere">
                {path ? <code className="numbers">{path}: </code> : null}
                {first}
              </span>
            </span>
            {more ? (
              <pre className="numbers mt-1.5 max-h-56 overflow-auto text-[11.5px] leading-[1.5] whitespace-pre-wrap text-ink-2 wrap-anywhere">
                {more}
              </pre>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
