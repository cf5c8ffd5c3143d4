/**
 * One message, as one peer plays it: look at the log, let the rule say what comes next, do that. What several peers could
 * do at once is decided again in the transaction that writes it, so the log takes it from one of them.
 */
import { ConveneError, ScriptExhausted } from '../../kernel/errors.ts'
import type { NewEvent, StoredEvent } from '../../kernel/events.ts'
import { overrideInForce } from '../../rules/room/override.ts'
import { decisionOf, type RoundTerms } from '../../rules/team/peer-decision.ts'
import { isRoundOver, type PartClaim, type PeerRound } from '../../rules/team/peer-round.ts'
import { type PeerStep, peerStep } from '../../rules/team/peer-step.ts'
import type { Attachment } from '../events.ts'
import { type messagePosted, roomOverridden, roomsStream, roundResolved } from '../events.ts'
import { type RoundMessage, readPlan, type TalkBefore } from '../round.ts'
import { answerPart } from './answer-part.ts'
import { roundDisputed } from './events.ts'
import { signsOf } from './part-signs.ts'
import { messageRun, type RoundEvents, roundEvents } from './peer-facts.ts'
import { limitsOf, type PeerNews, type PeerPlace } from './peer-place.ts'
import { postProposal } from './post-proposal.ts'
import { foldRound } from './round-facts.ts'
import { presentIn } from './seat.ts'

export type PostedMessage = StoredEvent<ReturnType<typeof messagePosted.schema.parse>>

interface Reading extends RoundTerms {
  talk: TalkBefore
  facts: RoundEvents
}

export class RoundPlay {
  readonly message: RoundMessage
  readonly runId: string
  readonly #place: PeerPlace
  readonly #posted: PostedMessage
  readonly #events: StoredEvent[] = []
  readonly #seen = new Map<number, number>()
  readonly #ended = new AbortController()
  readonly #agents: string[]
  #reading: Promise<Reading> | undefined
  #advancing: Promise<void> | undefined
  #again = false
  #cancelTimer = () => {}
  #alive = new Set<string>()
  /** Those whose rulebooks count: a peer that ended without a word must not keep the others from deciding. */
  #present = new Set<string>()
  #proposing = false
  /** The claim that this peer is answering. */
  #answering: { part: number; epoch: number; superseded: AbortController } | undefined
  #said = new Set<string>()

  constructor(place: PeerPlace, posted: PostedMessage) {
    const { message_id, text, attachments, override } = posted.data
    this.#place = place
    this.#posted = posted
    this.#agents = place.deps.room(place.room).agents
    this.message = {
      room: place.room,
      message_id,
      text,
      ...(attachments ? { attachments: attachments as Attachment[] } : {}),
      ...(override ? { override } : {}),
    }
    this.runId = messageRun(message_id)
  }

  get isOver(): boolean {
    return this.#ended.signal.aborted
  }

  /** `since` is when the event happened, if that was before this peer joined. */
  see(event: StoredEvent, since = this.#place.deps.clock.now()): void {
    if (this.#seen.has(event.seq)) return
    this.#seen.set(event.seq, since)
    this.#events.push(event)
  }

  advance(): void {
    // What arrives after the end changes nothing, and must not start another turn of the loop.
    if (this.isOver) return
    this.#again = true
    this.#advancing ??= this.#advanceAll()
      .catch((error) => {
        if (!this.isOver) this.#place.fail(error)
      })
      .finally(() => {
        this.#advancing = undefined
        if (this.#again) this.advance()
      })
  }

  async close(): Promise<void> {
    this.#end()
    await this.#advancing
  }

  async #advanceAll(): Promise<void> {
    if (isRoundOver(this.#fold(this.#events)) && !this.#reading) return this.#end()
    const reading = await this.#read()
    while (this.#again && !this.isOver) {
      this.#again = false
      const round = this.#fold(this.#events)
      this.#giveUpSuperseded(round)
      this.#alive = await signsOf(this.#place, this.message.message_id, round, this.#place.agent)
      const step = this.#next(this.#events, reading)
      this.#say(reading)
      this.#cancelTimer()
      if ('until' in step) this.#lookAgainAt(step.until)
      await this.#take(step, reading)
    }
  }

  async #take(step: PeerStep, reading: Reading): Promise<void> {
    switch (step.kind) {
      case 'over':
        return this.#end()
      case 'propose':
        if (!this.#proposing) this.#inBackground(this.#propose(reading))
        this.#proposing = true
        return
      case 'answer':
        return this.#answer(step.part + 1, step.claim, reading)
      case 'wait':
        return this.#sayOnce(`waiting for ${step.for}`, { event: 'waiting', for: step.for })
      default: {
        const written = await this.#write(reading)
        // Another peer was first: its facts are on their way.
        if (written.length > 0) this.#again = true
      }
    }
  }

  /** Decides again in the transaction, on all that was written up to it. */
  async #write(reading: Reading): Promise<StoredEvent[]> {
    const { store, clock } = this.#place.deps
    const written = await store.appendFrom(this.runId, (events) => {
      const round = this.#fold(events)
      return this.#factsOf(this.#next(events, reading), round, events, reading, clock.now())
    })
    for (const event of written) this.see(event)
    return written
  }

  #factsOf(
    step: PeerStep,
    round: PeerRound,
    events: readonly StoredEvent[],
    { facts }: Reading,
    now: number,
  ): NewEvent[] {
    switch (step.kind) {
      case 'resolve':
        return facts.resolved(step, round, events, now - round.postedAt)
      case 'claim':
        return [facts.claimed(step.part + 1, step.epoch, step.flags)]
      case 'drop':
        return facts.dropped(step.part + 1, round)
      case 'close':
        return [facts.closed(events)]
      case 'stall':
        return facts.stalled(round, events)
      default:
        return []
    }
  }

  async #propose({ plan }: Reading): Promise<void> {
    if (plan.kind !== 'propose') return
    await postProposal(this.#place, this.message, plan, {
      signal: this.#ended.signal,
      startedAt: this.#fold(this.#events).postedAt,
      isOpen: (events) => {
        const round = this.#fold(events)
        return !round.decision && !isRoundOver(round)
      },
    })
  }

  #answer(part: number, claim: PartClaim, { facts }: Reading): void {
    const { epoch } = claim
    if (this.#answering?.part === part && this.#answering.epoch === epoch) return
    const superseded = new AbortController()
    this.#answering = { part, epoch, superseded }
    const { message_id } = this.message
    this.#place.report({ event: 'claimed', message_id, part, epoch: claim.epoch })
    for (const why of claim.flags) this.#place.report({ event: 'fell_back', message_id, why })
    this.#inBackground(
      answerPart(this.#place, this.message, {
        part,
        claim,
        events: [...this.#events],
        fold: (events) => this.#fold(events),
        facts,
        signal: AbortSignal.any([this.#ended.signal, superseded.signal]),
      }).catch((error) => {
        if (!superseded.signal.aborted) throw error
        this.#place.report({ event: 'answered', message_id, part, result: 'superseded' })
      }),
    )
  }

  /** PR3: what it would still say is refused, so the call ends. */
  #giveUpSuperseded({ parts }: PeerRound): void {
    if (!this.#answering) return
    const { part, epoch, superseded } = this.#answering
    const { claim } = parts[part - 1]!
    if (claim && claim.epoch > epoch) superseded.abort(new Error('another peer answers this part'))
  }

  #inBackground(work: Promise<void>): void {
    work.then(
      () => this.advance(),
      (error) => {
        if (this.isOver) return
        this.#place.fail(error instanceof ScriptExhausted ? error : asFailure(error))
      },
    )
  }

  #fold(events: readonly StoredEvent[]): PeerRound {
    return foldRound(
      events.filter(({ run }) => run === this.runId),
      {
        agents: this.#agents,
        joined: this.#rulebooks(),
        seenAt: ({ seq }) => this.#seen.get(seq) ?? this.#place.deps.clock.now(),
        isAlive: (part, { epoch }) => this.#alive.has(`${part} ${epoch}`),
      },
    )
  }

  #rulebooks(): Record<string, string> {
    const { agent, rulebook, rulebooksBefore } = this.#place
    const known = Object.entries(rulebooksBefore(this.#posted.seq)).filter(([name]) => this.#present.has(name))
    return { ...Object.fromEntries(known), [agent]: rulebook }
  }

  #next(events: readonly StoredEvent[], reading: Reading): PeerStep {
    const { deps, agent } = this.#place
    return peerStep(this.#fold(events), agent, deps.clock.now(), reading, limitsOf(deps))
  }

  #read(): Promise<Reading> {
    this.#reading ??= this.#readOnce()
    return this.#reading
  }

  /** What every peer reads alike: the talk before the message, and the override that held when it was posted. */
  async #readOnce(): Promise<Reading> {
    const { deps, room, agent } = this.#place
    this.#present = new Set(await presentIn(deps, room, this.#agents))
    const query = { stream: roomsStream, types: [roomOverridden.type], before: this.#posted.seq }
    const overrides = (await deps.store.read(query)).flatMap((event) =>
      roomOverridden.is(event) && event.data.room === room ? [event.data.override] : [],
    )
    const roomOverride = overrides.at(-1) ?? undefined
    const given = { agents: this.#agents, ...(roomOverride ? { override: roomOverride } : {}) }
    const { plan, ...talk } = await readPlan({ runId: `${this.runId}/${agent}` }, deps, this.message, given)
    const override = overrideInForce({ message: this.message.override, room: roomOverride }, this.#agents)
    const facts = roundEvents(this.#place, this.message, talk)
    return { plan, ...(override ? { override } : {}), limits: deps.settings.dispatch, talk, facts }
  }

  #say(reading: Reading): void {
    const { text } = this.message
    this.#sayOnce('seen', { event: 'seen', text })
    const resolved = this.#events.find((event) => roundResolved.is(event))
    if (!resolved || this.#said.has('decided')) return
    const { mode, rule, responders, flags = [] } = (resolved as StoredEvent<Resolved>).data
    this.#sayOnce('decided', { event: 'decided', mode, rule, responders })
    for (const why of flags) this.#sayOnce(`fell back ${why}`, { event: 'fell_back', why })
    if (resolved.actor !== this.#place.agent)
      this.#inBackground(this.#compare(resolved as StoredEvent<Resolved>, reading))
  }

  /** PR1: the recorded decision must be the one that this peer's rulebook gives for the recorded inputs. */
  async #compare({ data, actor }: StoredEvent<Resolved>, reading: Reading): Promise<void> {
    const { deps, agent, room } = this.#place
    const { proposals, flags = [] } = data
    const made = Object.fromEntries(Object.entries(proposals).map(([name, proposal]) => [name, { at: 0, proposal }]))
    const own = decisionOf({ agents: this.#agents, proposals: made }, actor!, reading, flags)
    const same = (key: 'mode' | 'rule' | 'responders') => JSON.stringify(own[key]) === JSON.stringify(data[key])
    // Peers with other rulebooks are known to decide otherwise.
    if ((same('mode') && same('rule') && same('responders')) || flags.includes('rulebook')) return
    const { mode, rule, responders } = own
    const dispute = { message_id: data.message_id, agent, mode, rule, responders }
    const event = roundDisputed.create({ stream: `room:${room}`, run: this.runId, actor: agent }, dispute)
    await deps.store.append([{ ...event, key: { run: this.runId, step: `peers dispute ${agent}`, n: 0 } }])
  }

  #sayOnce(name: string, news: PeerNews): void {
    if (this.#said.has(name)) return
    this.#said.add(name)
    this.#place.report({ ...news, message_id: this.message.message_id })
  }

  #lookAgainAt(time: number): void {
    const { clock } = this.#place.deps
    this.#cancelTimer = clock.after(time - clock.now(), () => this.advance())
  }

  #end(): void {
    this.#cancelTimer()
    if (this.isOver) return
    this.#ended.abort(new Error('the round is over'))
    this.#place.deps.memories.forget(`${this.runId}/${this.#place.agent}`)
  }
}

type Resolved = ReturnType<typeof roundResolved.schema.parse>

function asFailure(error: unknown): unknown {
  return error instanceof Error ? error : new ConveneError('peer_failed', String(error), { exitCode: 1 })
}
