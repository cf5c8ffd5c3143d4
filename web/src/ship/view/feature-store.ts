/** One feature, kept true: read as the server has folded it and folded on from there; beside it how it came about. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { FeatureRunReport } from '../../../../src/ship/feature/features.ts'
import type { ShipReport } from '../../../../src/ship/ship/ships.ts'
import { type FeatureView, featureView, featureViewTypes } from '../../../../src/ship/view.ts'
import { rootOf } from '../../data/addresses/ship.ts'
import { getFeature, getRunReport, getShip } from '../../data/calls/features.ts'
import { live } from '../../data/feed/live.ts'
import { LogReader } from '../../data/feed/log-reader.ts'
import { frameBatch } from '../../data/frame-batch.ts'
import { ApiError } from '../../data/request.ts'
import { type Settable, watched } from '../../data/watched.ts'
import { cardsOf, type IssueCard } from './issue-card.ts'
import { shipSettings } from './ship-settings-store.ts'
import { featureStory, type Story, storyTypes } from './story.ts'
import { type Work, workOf } from './work.ts'

export interface FeatureState {
  phase: 'loading' | 'ready' | 'missing' | 'failed'
  problem?: string
  /** Changed in place, as is the story; `revision` tells when. */
  view: FeatureView
  story: Story
  cards: IssueCard[]
  /** The story and what is at work are known; before that only the issues are. */
  told: boolean
  /** How its latest run stands, and the ship it belongs to. */
  report: FeatureRunReport | null
  ship: ShipReport | null
  work: Work | null
  revision: number
}

const viewTypes = new Set(featureViewTypes)
const toldTypes = new Set(storyTypes.split(','))
/** Several things happen at once when a run ends; it is asked about once. */
const gatherMs = 150

export class FeatureStore {
  readonly feature: string
  readonly state: Settable<FeatureState>
  readonly #fold
  readonly #viewReader: LogReader
  readonly #storyReader: LogReader
  #view: FeatureView
  #viewSeq = 0
  #story: Story = featureStory.initial()
  #report: FeatureRunReport | null = null
  #ship: ShipReport | null = null
  #told = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #tellSoon = frameBatch(() => this.#tell({ phase: 'ready' }))

  constructor(feature: string) {
    this.feature = feature
    this.#fold = featureView(feature)
    this.#view = this.#fold.initial()
    this.state = watched<FeatureState>({
      phase: 'loading',
      view: this.#view,
      story: this.#story,
      cards: [],
      told: false,
      report: null,
      ship: null,
      work: null,
      revision: 0,
    })
    this.#viewReader = new LogReader({
      feature,
      types: featureViewTypes.join(','),
      lastSeq: () => this.#viewSeq,
      take: (event) => {
        this.#viewSeq = event.seq
        this.#view = this.#fold.evolve(this.#view, event)
      },
      first: () => this.#readView(),
    })
    this.#storyReader = new LogReader({
      feature,
      types: storyTypes,
      lastSeq: () => this.#story.lastSeq,
      take: (event) => {
        this.#story = featureStory.evolve(this.#story, event)
      },
    })
  }

  async catchUp(): Promise<void> {
    try {
      const telling = this.#storyReader.catchUp()
      // Where the view cannot be read, nobody waits for the story.
      telling.catch(() => {})
      await this.#viewReader.catchUp()
      if (this.state.get().phase !== 'ready') this.#tell({ phase: 'ready' })
      await telling
      await this.#readWork()
      this.#told = true
      this.#tell({ phase: 'ready' })
    } catch (error) {
      if (this.state.get().phase === 'ready') return
      const missing = error instanceof ApiError && error.status === 404
      this.#tell({
        phase: missing ? 'missing' : 'failed',
        problem: error instanceof Error ? error.message : String(error),
      })
    }
  }

  hear(event: StoredEvent): void {
    const isOwn = event.feature === this.feature
    if (isOwn && this.state.get().phase === 'missing') {
      void this.catchUp()
      return
    }
    let changed = false
    if (isOwn && viewTypes.has(event.type)) changed = this.#viewReader.hear(event)
    if (isOwn && toldTypes.has(event.type)) changed = this.#storyReader.hear(event) || changed
    if (this.#isAboutWork(event)) this.#readWorkSoon()
    if (changed) this.#tellSoon()
  }

  /** What was changed elsewhere is shown anew. */
  refresh(): void {
    if (this.state.get().phase === 'ready') this.#tellSoon()
  }

  #isAboutWork({ type, run, feature }: StoredEvent): boolean {
    if (feature === this.feature && /^(feature\.run-started|ship\.\w+)$/.test(type)) return true
    if (run === undefined || !/^(run|question)\./.test(type)) return false
    const root = rootOf(run)
    return root === this.#story.ship?.run || this.#story.runs.some(({ id }) => rootOf(id) === root)
  }

  #readWorkSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // Where it fails, the next thing that happens asks again.
      this.#readWork().then(this.#tellSoon, () => {})
    }, gatherMs)
  }

  async #readWork(): Promise<void> {
    const { runs, ship } = this.#story
    const run = runs.at(-1)?.id
    const missing = () => null
    const [report, shipReport] = await Promise.all([
      run === undefined ? null : getRunReport(run).catch(missing),
      ship ? getShip(ship.run).catch(missing) : null,
    ])
    this.#report = report
    this.#ship = shipReport
  }

  async #readView(): Promise<StoredEvent[]> {
    const { seq, feature, main, issues, cost, pull_request } = await getFeature(this.feature)
    this.#view = { feature, main, issues, cost, ...(pull_request ? { pull_request } : {}) }
    this.#viewSeq = seq
    return []
  }

  #tell(phase: Pick<FeatureState, 'phase' | 'problem'>): void {
    const { revision, cards } = this.state.get()
    const work = workOf(this.#report, this.#ship)
    const around = { story: this.#story, tries: shipSettings.get()?.tries ?? null, run: work?.root ?? null }
    this.state.set({
      ...phase,
      view: this.#view,
      story: this.#story,
      cards: cardsOf(this.#view, around, cards),
      told: this.#told,
      report: this.#report,
      ship: this.#ship,
      work,
      revision: revision + 1,
    })
  }
}

const stores = new Map<string, FeatureStore>()

live.listen({
  event: (event) => {
    for (const store of stores.values()) store.hear(event)
  },
  opened: () => {
    for (const store of stores.values()) void store.catchUp()
  },
})

shipSettings.subscribe(() => {
  for (const store of stores.values()) store.refresh()
})

/** The store of a feature; it is read the first time it is asked for. */
export function featureStore(feature: string): FeatureStore {
  const known = stores.get(feature)
  if (known) return known
  const store = new FeatureStore(feature)
  stores.set(feature, store)
  void store.catchUp()
  return store
}
