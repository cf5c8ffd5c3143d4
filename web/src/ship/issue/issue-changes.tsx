/** What an issue changed: diff, files and exported names. */
import { Link } from 'wouter'
import type { IssueView } from '../../../../src/ship/view.ts'
import { buildAddress } from '../../data/addresses/build.ts'
import { buildOfSession } from '../../data/addresses/ship.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { shortCommit } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Diff } from '../../ui/text/diff.tsx'

export function IssueChanges({ issue }: { issue: IssueView }) {
  const { commit, session, files, modules, finished } = issue
  // Convene has diffs only of what it built itself.
  const isOwn = commit !== undefined && session !== undefined && finished !== undefined
  if (commit === undefined && files.length === 0)
    return (
      <p className="text-small text-ink-3">
        Nothing merged yet.{' '}
        {session ? (
          <Link href={buildAddress(buildOfSession(session))} className="text-accent underline underline-offset-2">
            See what its build has written so far
          </Link>
        ) : null}
      </p>
    )
  return (
    <div data-testid="issue-changes">
      {commit === undefined ? null : (
        <p className="mb-2 flex items-center gap-1 text-small">
          <span className="text-ink-3">commit</span>
          <code className="numbers">{shortCommit(commit)}</code>
          <CopyButton text={commit} label="Copy the commit" className="size-6" />
        </p>
      )}
      {modules.length > 0 ? (
        <Section title="Exported names">
          <ul className="space-y-1.5 text-small">
            {modules.map(({ path, symbols, purpose, change }) => (
              <li key={path}>
                <code className="numbers wrap-anywhere">{path}</code> <span className="text-ink-3">{change}</span>
                <span className="block text-ink-2 wrap-anywhere">{purpose}</span>
                {symbols.length > 0 ? (
                  <span className="numbers block text-tiny text-ink-3 wrap-anywhere">{symbols.join(', ')}</span>
                ) : null}
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      {files.length > 0 ? (
        <Section title="Files">
          <ul className="space-y-0.5 text-small">
            {files.map((path) => (
              <li key={path}>
                <code className="numbers wrap-anywhere">{path}</code>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <Section title="Diff">
        {isOwn ? (
          <Diff build={buildOfSession(session)} commit={commit} shape="unified" />
        ) : (
          <p className="text-small text-ink-3">
            Not built by Convene; see{' '}
            <code className="numbers text-ink-2">git show {commit ? shortCommit(commit) : 'its commit'}</code>.
          </p>
        )}
      </Section>
    </div>
  )
}
