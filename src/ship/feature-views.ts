/**
 * Caches the folded views of features and updates them from new events. Views of long features are cached on disk too, so
 * that a command need not read the whole log.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Store } from '../kernel/store.ts'
import { type FeatureView, featureView, featureViewTypes, snapshotOf } from './view.ts'

interface Kept {
  view: FeatureView
  /** The last event in it. */
  seq: number
  /** That event's id: a rebuilt log has another one at this position. */
  event?: string
  /** Events folded since the view was written to disk. */
  unsaved: number
  /** The snapshot handed out; replaced when something changes. */
  given?: FeatureView
}

/** Fewer events are folded again faster than a file is read. */
const worthKeeping = 1000

export class FeatureViews {
  readonly #store: Store
  readonly #folder: string
  readonly #kept = new Map<string, Kept>()

  constructor(store: Store, folder: string) {
    this.#store = store
    this.#folder = folder
  }

  /** The current view as a shared snapshot: later events do not change it, and callers must not either. */
  async read(feature: string): Promise<FeatureView> {
    return givenOut(await this.#current(feature))
  }

  /** With its position in the log; a browser continues from there. */
  async readWithSeq(feature: string): Promise<{ view: FeatureView; seq: number }> {
    const before = await this.#store.lastSeq()
    const kept = await this.#current(feature)
    // Events written between the two reads are in the view and must not be folded again.
    return { view: givenOut(kept), seq: Math.max(before, kept.seq) }
  }

  async #current(feature: string): Promise<Kept> {
    const kept = this.#kept.get(feature) ?? (await this.#saved(feature)) ?? freshly(feature)
    const events = await this.#store.read({ feature, after: kept.seq, types: featureViewTypes })
    const { evolve } = featureView(feature)
    for (const event of events) {
      // Two reads may run at once.
      if (event.seq <= kept.seq) continue
      kept.view = evolve(kept.view, event)
      kept.seq = event.seq
      kept.event = event.id
      kept.unsaved++
      kept.given = undefined
    }
    // Do not cache names that were never greenlit: clients can ask for any name.
    if (kept.view.issues.length > 0 && !this.#kept.has(feature)) this.#kept.set(feature, kept)
    if (kept.unsaved >= worthKeeping) this.#save(feature, kept)
    return kept
  }

  /** The view cached by an earlier process, if the log still continues it. */
  async #saved(feature: string): Promise<Kept | null> {
    const saved = readSaved(this.#file(feature))
    if (!saved) return null
    const [last] = await this.#store.read({ feature, after: saved.seq - 1, before: saved.seq + 1 })
    return last?.id === saved.event ? { view: saved.view, seq: saved.seq, event: saved.event, unsaved: 0 } : null
  }

  #save(feature: string, kept: Kept): void {
    kept.unsaved = 0
    const file = this.#file(feature)
    const staging = `${file}.writing`
    try {
      mkdirSync(dirname(file), { recursive: true })
      const { view, seq, event } = kept
      writeFileSync(staging, JSON.stringify({ form: form(), seq, event, view } satisfies Saved))
      renameSync(staging, file)
    } catch {
      // On a full disk the view is simply folded again next time.
    }
  }

  #file(feature: string): string {
    return join(this.#folder, `view-${encodeURIComponent(feature)}.json`)
  }
}

interface Saved {
  form: string
  seq: number
  event: string | undefined
  view: FeatureView
}

function readSaved(file: string): Saved | null {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Saved
    return saved.form === form() ? saved : null
  } catch {
    return null
  }
}

/** The code that makes a view: the fold and its rule, or in the package this chunk, which names the others by their hash. */
const makers = import.meta.url.endsWith('.ts') ? ['./view.ts', '../rules/issues/issue-size.ts'] : [import.meta.url]

/** Identifies the fold: a view made by another version is discarded. */
function form(): string {
  const hash = createHash('sha256')
  for (const maker of makers) hash.update(readFileSync(new URL(maker, import.meta.url)))
  return hash.digest('hex')
}

function freshly(feature: string): Kept {
  return { view: featureView(feature).initial(), seq: 0, unsaved: 0 }
}

function givenOut(kept: Kept): FeatureView {
  kept.given ??= snapshotOf(kept.view)
  return kept.given
}
