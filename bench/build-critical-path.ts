/** How long a build would take if only agents and commands took time, and how much longer its critical path took. */
import type { StoredEvent } from '../src/kernel/events.ts'

/** What one node did, in order. */
interface Story {
  id: string
  parent: string | null
  /** Commands between two asks, in milliseconds, by the ask they came after. */
  after: Map<string, number>
  /** Of these, the contract of all parts: it waits for the children. */
  contract: number
  /** When each ask started, by the log, and when its step ended. */
  asked: Map<string, number>
  answered: Map<string, number>
  begun: number
  mergedAt: number
  judgedAt: number
  finishedAt: number
}

/** One segment of the critical path: its work, and its overhead. */
export interface Stretch {
  name: string
  work: number
  took: number
}

export interface Timeline {
  stretches: Stretch[]
}

export function criticalPath(events: readonly StoredEvent[], agentMilliseconds: number): number {
  const stories = storiesOf(events)
  const endOf = (story: Story, begun: number): { ready: number } => {
    const scaffolded = begun + agentMilliseconds + commands(story, 'scaffold')
    const tested = scaffolded + agentMilliseconds + commands(story, 'write-tests') - story.contract
    const children = childrenOf(stories, story)
    let branch = 0
    let settled = 0
    // MG1: one merge at a time into a branch, in the order of the log.
    for (const child of children) {
      branch = Math.max(branch, endOf(child, scaffolded).ready) + commands(child, 'review-impl')
      settled = Math.max(settled, branch + agentMilliseconds)
    }
    const begin = Math.max(tested, settled) + story.contract
    const implemented = begin + agentMilliseconds + commands(story, 'implement')
    return { ready: implemented + agentMilliseconds }
  }
  const root = rootOf(stories)
  return endOf(root, 0).ready + commands(root, 'review-impl')
}

/** The critical path, from the root's scaffold down to the leaf that was merged last, and up again. */
export function timelineOf(events: readonly StoredEvent[], agentMilliseconds: number): Timeline {
  const stories = storiesOf(events)
  const chain = [rootOf(stories)]
  for (;;) {
    const last = childrenOf(stories, chain.at(-1)!)
      .sort((a, b) => a.judgedAt - b.judgedAt)
      .at(-1)
    if (!last) break
    chain.push(last)
  }
  const stretches: Stretch[] = []
  let at = chain[0]!.begun
  const until = (name: string, moment: number, work: number) => {
    stretches.push({ name, work, took: moment - at })
    at = moment
  }
  for (const [depth, story] of chain.entries())
    until(
      `scaffold at depth ${depth}`,
      story.asked.get('write-tests')!,
      agentMilliseconds + commands(story, 'scaffold'),
    )
  for (const [index, story] of [...chain].reverse().entries()) {
    const depth = chain.length - 1 - index
    if (index === 0)
      until(
        `tests at depth ${depth}`,
        story.asked.get('implement')!,
        agentMilliseconds + commands(story, 'write-tests'),
      )
    else until(`parts come together at depth ${depth}`, story.asked.get('implement')!, story.contract)
    until(`code at depth ${depth}`, story.asked.get('review-impl')!, agentMilliseconds + commands(story, 'implement'))
    until(`review at depth ${depth}`, story.answered.get('review-impl')!, agentMilliseconds)
    const siblings = story.parent === null ? [story] : childrenOf(stories, stories.get(story.parent)!)
    const merges = siblings.reduce((sum, each) => sum + commands(each, 'review-impl'), 0)
    until(`${siblings.length} ${siblings.length === 1 ? 'merge' : 'merges'} at depth ${depth}`, story.mergedAt, merges)
    if (depth > 0) until(`judgement at depth ${depth}`, story.judgedAt, agentMilliseconds)
  }
  until('clean-up', time(events.find(({ type }) => type === 'build.finished')!), 0)
  return { stretches }
}

function storiesOf(events: readonly StoredEvent[]): Map<string, Story> {
  const stories = new Map<string, Story>()
  const last = new Map<string, string>()
  for (const event of events) {
    const data = event.data as Record<string, unknown>
    const run = event.run!
    if (event.type === 'node.started') {
      const path = data.path as string[]
      stories.set(run, {
        id: data.node as string,
        parent: path.length === 1 ? null : run.slice(0, run.lastIndexOf('/')),
        after: new Map(),
        contract: 0,
        asked: new Map(),
        answered: new Map(),
        begun: time(event),
        mergedAt: 0,
        judgedAt: 0,
        finishedAt: 0,
      })
    }
    const story = stories.get(run)
    if (!story) continue
    if (event.type === 'ask.started') story.asked.set(data.kind as string, time(event))
    if (event.type === 'ask.finished') {
      last.set(run, data.kind as string)
      story.answered.set(data.kind as string, time(event))
    }
    if (event.type === 'evidence.recorded') {
      const kind = last.get(run)!
      const milliseconds = data.milliseconds as number
      story.after.set(kind, (story.after.get(kind) ?? 0) + milliseconds)
      if (data.purpose === 'contract') story.contract += milliseconds
    }
    if (event.type === 'merge.completed') story.mergedAt = time(event)
    if (event.type === 'child.judged') story.judgedAt = time(event)
    if (event.type === 'node.finished') story.finishedAt = time(event)
    if (event.type === 'reply.refused') throw new Error(`${story.id} was refused: ${JSON.stringify(data)}`)
  }
  return stories
}

/** In the order they were merged. */
function childrenOf(stories: Map<string, Story>, story: Story): Story[] {
  return [...stories]
    .filter(([, child]) => child.parent !== null && stories.get(child.parent) === story)
    .map(([, child]) => child)
    .sort((a, b) => a.mergedAt - b.mergedAt)
}

function rootOf(stories: Map<string, Story>): Story {
  return [...stories.values()].find(({ parent }) => parent === null)!
}

const commands = (story: Story, kind: string) => story.after.get(kind) ?? 0
const time = (event: StoredEvent) => Date.parse(event.ts)
