/** What a node's merge changes for other nodes, and how it was rebased on their merges. */
import type { NodeView } from '../../../../src/build/view.ts'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { shortCommit } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Diff } from '../../ui/text/diff.tsx'
import { Unfold } from '../../ui/unfold.tsx'
import { changeLabel, impactLabel } from '../view/labels.ts'

const impactTones: Record<string, Tone> = { Trivial: 'plain', Additive: 'ok', Breaking: 'warn' }

export function MergeTab({ build, node }: { build: string; node: NodeView }) {
  const { merge, rebases } = node
  return (
    <div data-testid="merge">
      {merge ? (
        <>
          <div className="flex items-center gap-2">
            <b className="font-semibold">Merged</b>
            <code className="numbers text-small text-ink-3">{shortCommit(merge.commit)}</code>
            <CopyButton text={merge.commit} label="Copy the commit" className="size-6" />
            <Chip tone={impactTones[merge.impactLevel] ?? 'plain'} className="ml-auto">
              {merge.impactLevel.toLowerCase()}
            </Chip>
          </div>
          <p className="mt-1 text-small text-ink-2">{impactLabel[merge.impactLevel] ?? ''}</p>
          <Symbols merge={merge} />
          <div className="mt-3">
            <Unfold label="Everything in this merge">
              <Diff build={build} commit={merge.commit} shape="unified" />
            </Unfold>
          </div>
        </>
      ) : (
        <p className="text-small text-ink-3">
          Not merged yet. Once merged, this lists every exported name that is new, changed or removed.
        </p>
      )}
      <Rebases rebases={rebases} />
    </div>
  )
}

function Symbols({ merge }: { merge: NonNullable<NodeView['merge']> }) {
  if (merge.changes.length === 0 && merge.unparsed.length === 0) return null
  return (
    <Section title="Exported names">
      <table className="w-full text-small">
        <thead className="sr-only">
          <tr>
            <th>name</th>
            <th>change</th>
          </tr>
        </thead>
        <tbody>
          {merge.changes.map(({ symbol, changeType, reason }) => (
            <tr
              key={`${symbol} ${changeType} ${reason}`}
              className="border-t border-line align-baseline first:border-t-0"
            >
              <th scope="row" className="py-1 pr-3 text-left font-normal">
                <code className="numbers wrap-anywhere">{symbol}</code>
              </th>
              <td className="py-1 text-ink-2">
                {changeLabel[changeType] ?? changeType}
                {reason ? <span className="block text-tiny text-ink-3 wrap-anywhere">{reason}</span> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {merge.unparsed.length > 0 ? (
        <p className="mt-1.5 text-small text-ink-3">Read as text only: {merge.unparsed.join(', ')}</p>
      ) : null}
    </Section>
  )
}

function Rebases({ rebases }: { rebases: NodeView['rebases'] }) {
  if (rebases.length === 0) return null
  return (
    <Section title="Rebases">
      <ul className="space-y-1.5">
        {rebases.map(({ onto, commit, impactLevel, conflicts, adapted }) => (
          <li key={commit} className="rounded-lg bg-sunken px-2.5 py-2 text-small">
            Onto <code className="numbers">{shortCommit(onto)}</code> ({impactLevel.toLowerCase()}):{' '}
            {adapted
              ? `an agent adapted ${conflicts.length > 0 ? conflicts.join(', ') : 'the work'}; only names, imports and signatures may change in a rebase`
              : 'rebased without an agent'}
            .
          </li>
        ))}
      </ul>
    </Section>
  )
}
