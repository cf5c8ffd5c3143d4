/** The plan's issues with their criteria, dependencies and build commands. */
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { PlanView } from '../../../src/plan/view.ts'
import { shellWord } from '../../../src/rules/text/shell-word.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { getPlanFolder, readPlanFile } from '../data/calls/plans.ts'
import { remember } from '../data/memory.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { plural } from '../ui/format.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { Unfold } from '../ui/unfold.tsx'
import { shortFolder } from './view/document.ts'
import { type Issue, readIssues, wavesOf } from './view/issues.ts'

/** Only their names, and what each waits for. */
export function IssueLines({ view }: { view: PlanView }) {
  const version = versionOf(view)
  const loaded = useLoaded(`${view.run} ${version} lines`, () => load(view.run))
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  return (
    <>
      <ol className="space-y-1" data-testid="issue-lines">
        {loaded.value.found?.issues.map(({ number, title, size, depends_on }) => (
          <li key={number} className="flex items-baseline gap-2 text-small">
            <span className="numbers w-7 shrink-0 text-ink-3">#{number}</span>
            <span className="min-w-0 flex-1 wrap-anywhere">{title}</span>
            <span className="shrink-0 text-ink-3">
              {size}
              {depends_on.length > 0 ? `, after ${depends_on.map((one) => `#${one}`).join(', ')}` : ''}
            </span>
          </li>
        ))}
      </ol>
      <Link
        href={planAddress(view.run, 'issues')}
        className="mt-2 inline-block text-small text-accent underline underline-offset-2"
      >
        Acceptance criteria and how to build them
      </Link>
    </>
  )
}

async function load(plan: string) {
  const [text, folder] = await Promise.all([readPlanFile(plan, 'issues.json'), getPlanFolder(plan)])
  return { found: readIssues(text), folder: shortFolder(folder) }
}

export function IssuesView({ view }: { view: PlanView }) {
  const written = versionOf(view)
  if (!written)
    return (
      <p className="text-small text-ink-2">
        No issues yet: the last phase creates them from everything that was decided.
      </p>
    )
  return <Written view={view} version={written} />
}

/** Changes when they are written anew. */
function versionOf({ phases }: PlanView): string | undefined {
  const last = phases.find(({ id }) => id === '9')
  return last?.artefacts.find(({ file }) => file === 'issues.json')?.artefact_ref
}

function Written({ view, version }: { view: PlanView; version: string }) {
  const loaded = useLoaded(`${view.run} ${version}`, () => load(view.run))
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  const { found, folder } = loaded.value
  if (!found) return <p className="text-small text-bad">issues.json is not valid; it may have been edited.</p>
  const waves = wavesOf(found.issues)
  return (
    <ol className="space-y-4" data-testid="issues">
      {waves.map((wave, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a wave is its number
        <li key={index}>
          {waves.length > 1 ? (
            <h2 className="caption mb-1.5">
              {index === 0 ? 'Can start right away' : `After that${wave.length > 1 ? ', in parallel' : ''}`}
            </h2>
          ) : null}
          <ul className="space-y-2">
            {wave.map((issue) => (
              <li key={issue.number}>
                <IssueCard run={view.run} issue={issue} feature={found.feature} folder={folder} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

interface IssueCardProps {
  run: string
  issue: Issue
  feature: string
  folder: string
}

function IssueCard({ run, issue, feature, folder }: IssueCardProps) {
  const [, navigate] = useLocation()
  const [problem, setProblem] = useState<string | null>(null)
  const { number, title, body, acceptance_criteria, depends_on, size, target_path } = issue
  const file = `specs/${feature}-${number}.yaml`
  const command = `convene build ${shellWord(`${folder}/${file}`)}`
  const open = async () => {
    try {
      remember('build-spec', await readPlanFile(run, file))
      navigate('/builds/new')
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <article
      aria-label={`Issue ${number}`}
      id={`issue-${number}`}
      data-testid="issue"
      className="rounded-[10px] border border-line bg-panel px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="numbers text-ink-3">#{number}</span>
        <h3 className="min-w-0 font-medium wrap-anywhere">{title}</h3>
        <Chip>{size}</Chip>
        {depends_on.length > 0 ? <Chip>after {depends_on.map((one) => `#${one}`).join(', ')}</Chip> : null}
      </div>
      <ul className="mt-1.5 space-y-0.5 text-small">
        {acceptance_criteria.map(({ id, text }) => (
          <li key={id} className="wrap-anywhere">
            <code className="numbers mr-1.5 rounded bg-sunken px-1 py-px text-tiny">{id}</code>
            {text}
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-small text-ink-3 wrap-anywhere">
        business value {issue.business_value} of 1, risk {issue.risk} of 1; written to{' '}
        <code className="numbers">{target_path}</code>
      </p>
      {body ? (
        <Unfold label={`Description, ${plural(body.length, 'character')}`}>
          <div className="rounded-lg bg-sunken px-3 py-2.5">
            <Markdown text={body} />
          </div>
        </Unfold>
      ) : null}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <span className="flex min-w-0 items-center gap-1 rounded-lg border border-line bg-bg py-0.5 pr-1 pl-2.5 text-small">
          <code className="numbers min-w-0 truncate" data-testid="build-command">
            {command}
          </code>
          <CopyButton text={command} label={`Copy the command that builds issue ${number}`} className="size-6" />
        </span>
        <Button onClick={() => void open()} aria-label={`Build issue ${number}`}>
          Build this
        </Button>
      </div>
      {problem ? (
        <p role="alert" className="mt-1 text-small text-bad">
          {problem}
        </p>
      ) : null}
    </article>
  )
}
