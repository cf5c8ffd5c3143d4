/** What waits for a person, anywhere: read when the connection opens, and kept true by it. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { type Answer, openQuestions, type Question } from '../../../../src/kernel/runs/question-events.ts'
import { request } from '../request.ts'
import { type Settable, watched } from '../watched.ts'

export class QuestionsStore {
  readonly open: Settable<readonly Question[]> = watched<readonly Question[]>([])
  /** What was heard while the list was on its way: it may be older than these. */
  #heard: StoredEvent[] | null = null

  async read(): Promise<void> {
    this.#heard ??= []
    try {
      const { questions } = await request<{ questions: Question[] }>('/questions')
      this.#show(new Map(questions.map((question) => [question.id, question])), this.#heard ?? [])
    } catch {
      // What is shown stays; the next connection reads again.
    } finally {
      this.#heard = null
    }
  }

  hear(event: StoredEvent): void {
    if (!/^(question\.|run\.finished$)/.test(event.type)) return
    this.#heard?.push(event)
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

export const answerQuestion = (id: string, answer: Answer) =>
  request(`/questions/${encodeURIComponent(id)}/answer`, answer)
