/** The documents a phase wrote, rendered. */
import { useState } from 'react'
import type { PhaseView } from '../../../../src/plan/view.ts'
import { readPayload } from '../../data/calls/builds.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Markdown } from '../../ui/text/markdown.tsx'
import { LongText } from '../../ui/text/payload-text.tsx'
import { hasDiagram, readable } from '../view/document.ts'
import { Card } from './card.tsx'

type Artefact = PhaseView['artefacts'][number]

export function Artefacts({ artefacts }: { artefacts: readonly Artefact[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = artefacts.find(({ file }) => file === chosen) ?? artefacts[0]
  if (!shown) return null
  return (
    <Card
      title="Documents"
      wide
      testId="artefacts"
      more={
        <div role="radiogroup" aria-label="Document" className="flex flex-wrap gap-1">
          {artefacts.map(({ file }) => (
            <label
              key={file}
              className="numbers rounded-md px-1.5 py-px text-small text-ink-2 hover:bg-hover has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="artefact"
                className="sr-only"
                checked={file === shown.file}
                onChange={() => setChosen(file)}
              />
              {file}
            </label>
          ))}
        </div>
      }
    >
      <Document artefact={shown} />
    </Card>
  )
}

function Document({ artefact: { file, artefact_ref } }: { artefact: Artefact }) {
  const loaded = useLoaded(artefact_ref, () => loadText(artefact_ref))
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  if (!file.endsWith('.md')) return <LongText text={loaded.value} />
  return (
    <div data-testid="document" data-file={file} className="relative">
      <CopyButton text={loaded.value} label={`Copy ${file}`} className="absolute -top-1 right-0" />
      {hasDiagram(loaded.value) ? (
        <p className="mb-2 pr-8 text-small text-ink-3">
          Diagrams are shown as their Mermaid text; GitHub and most editors draw them.
        </p>
      ) : null}
      <Markdown text={readable(loaded.value)} />
    </div>
  )
}

export const loadText = (reference: string) => readPayload(reference).then((bytes) => new TextDecoder().decode(bytes))
