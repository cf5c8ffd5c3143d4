/** One feature's view, its timeline, and its latest reports, kept up to date. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { FeatureRunReport } from '../../../../src/ship/feature/features.ts'
import type { ShipReport } from '../../../../src/ship/ship/ships.ts'
import { type FeatureView, featureView, featureViewTypes } from '../../../../src/ship/view.ts'
import { rootOf } from '../../data/addresses/ship.ts'
import { getFeature, getRunReport, getShip } from '../../data/calls/features.ts'
import { type Followed, FollowedView } from '../../data/feed/followed-view.ts'
import { live } from '../../data/feed/live.ts'
import { LogReader } from '../../data/feed/log-reader.ts'
import { StoresById } from '../../data/feed/stores-by-id.ts'
import { type FeatureTimeline, featureTimeline, timelineTypes } from './feature-timeline.ts'
import { cardsOf, type IssueCard } from './issue-card.ts'
import { shipSettings } from './ship-settings-store.ts'
import { type Work, workOf } from './work.ts'

interface ShownFeature {
  view: FeatureView
  /** Changed in place, as the view is. */
  timeline: FeatureTimeline
  cards: IssueCard[]
  /** The timeline and the reports have been read; before that only the issues are known. */
  isTimelineRead: boolean
  report: FeatureRunReport | null
  ship: ShipReport | null
  work: Work | null
}

export type FeatureState = Followed<ShownFeature>

const viewTypes = new Set(featureViewTypes)
const timelineTypeSet = new Set(timelineTypes.split(','))
/** A run that ends emits several events at once; the reports are read once for all of them. */
const gatherMs = 150

export class FeatureStore {
  readonly feature: string
  readonly #followed: FollowedView<FeatureView, ShownFeature>
  readonly #timelineReader: LogReader
  #timeline: FeatureTimeline = featureTimeline.initial()
  #report: FeatureRunReport | null = null
  #ship: ShipReport | null = null
  #isTimelineRead = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(feature: string) {
    this.feature = feature
    const fold = featureView(feature)
    this.#followed = new FollowedView({
      initial: fold.initial(),
      evolve: fold.evolve,
      includes: (event) => event.feature === feature && viewTypes.has(event.type),
      log: { feature, types: featureViewTypes.join(',') },
      read: async () => {
        const { seq, feature: name, main, issues, cost, pull_request } = await getFeature(feature)
        return { seq, view: { feature: name, main, issues, cost, ...(pull_request ? { pull_request } : {}) } }
      },
      show: (view, before) => this.#show(view, before?.cards),
    })
    this.#timelineReader = new LogReader({
      feature,
      types: timelineTypes,
      lastSeq: () => this.#timeline.lastSeq,
      take: (event) => {
        this.#timeline = featureTimeline.evolve(this.#timeline, event)
      },
    })
  }

  get state() {
    return this.#followed.state
  }

  async catchUp(): Promise<void> {
    const telling = this.#timelineReader.catchUp()
    // Without the view, the timeline is not needed.
    telling.catch(() => {})
    await this.#followed.catchUp()
    if (this.state.get().phase !== 'ready') return
    try {
      await telling
      await this.#readWork()
      this.#isTimelineRead = true
      this.refresh()
    } catch {
      // The next reconnect reads it again.
    }
  }

  receive(event: StoredEvent): void {
    const isOwn = event.feature === this.feature
    if (isOwn && this.state.get().phase === 'missing') {
      void this.catchUp()
      return
    }
    this.#followed.receive(event)
    if (isOwn && timelineTypeSet.has(event.type) && this.#timelineReader.receive(event)) this.refresh()
    if (this.#isAboutWork(event)) this.#readWorkSoon()
  }

  refresh(): void {
    this.#followed.refresh()
  }

  #isAboutWork({ type, run, feature }: StoredEvent): boolean {
    if (feature === this.feature && /^(feature\.run-started|ship\.\w+)$/.test(type)) return true
    if (run === undefined || !/^(run|question)\./.test(type)) return false
    const root = rootOf(run)
    return root === this.#timeline.ship?.run || this.#timeline.runs.some(({ id }) => rootOf(id) === root)
  }

  #readWorkSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // After a failure the next event reads it again.
      this.#readWork().then(
        () => this.refresh(),
        () => {},
      )
    }, gatherMs)
  }

  async #readWork(): Promise<void> {
    const { runs, ship } = this.#timeline
    const run = runs.at(-1)?.id
    const missing = () => null
    const [report, shipReport] = await Promise.all([
      run === undefined ? null : getRunReport(run).catch(missing),
      ship ? getShip(ship.run).catch(missing) : null,
    ])
    this.#report = report
    this.#ship = shipReport
  }

  #show(view: FeatureView, before: readonly IssueCard[] = []): ShownFeature {
    const work = workOf(this.#report, this.#ship)
    const context = {
      timeline: this.#timeline,
      mostAttempts: shipSettings.get()?.attempts ?? null,
      run: work?.root ?? null,
    }
    return {
      view,
      timeline: this.#timeline,
      cards: cardsOf(view, context, before),
      isTimelineRead: this.#isTimelineRead,
      report: this.#report,
      ship: this.#ship,
      work,
    }
  }
}

const stores = new StoresById((feature) => new FeatureStore(feature))

live.listen(stores)

shipSettings.subscribe(() => {
  for (const store of stores.all()) store.refresh()
})

export const featureStore = (feature: string) => stores.get(feature)
