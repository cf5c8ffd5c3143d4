/** All open questions to a person: read when the connection opens, then updated by events. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { type Answer, openQuestions, type Question } from '../../../../src/kernel/runs/question-events.ts'
import { call } from '../request.ts'
import { type Settable, watched } from '../watched.ts'

export class QuestionsStore {
  readonly open: Settable<readonly Question[]> = watched<readonly Question[]>([])
  /** Events received while the list was loading, which may be older than they are. */
  #received: StoredEvent[] | null = null

  async read(): Promise<void> {
    this.#received ??= []
    try {
      const { questions } = await call('GET /api/questions')
      this.#show(new Map(questions.map((question) => [question.id, question])), this.#received ?? [])
    } catch {
      // Keep what is shown; the next reconnect reads again.
    } finally {
      this.#received = null
    }
  }

  receive(event: StoredEvent): void {
    if (!/^(question\.|run\.finished$)/.test(event.type)) return
    this.#received?.push(event)
    this.#show(new Map(this.open.get().map((question) => [question.id, question])), [event])
  }

  #show(known: Map<string, Question>, events: readonly StoredEvent[]): void {
    for (const event of events) openQuestions.evolve(known, event)
    const next = [...known.values()]
    const now = this.open.get()
    if (next.length === now.length && next.every(({ id }, index) => id === now[index]!.id)) return
    this.open.set(next)
  }
}

export const answerQuestion = (question: string, body: Answer) =>
  call('POST /api/questions/:question/answer', { params: { question }, body })
