/**
 * A piece of a transaction, written once for both databases. It may yield what it needs from the database: on SQLite the
 * answers are there at once and nothing is yielded; on Postgres each is awaited. Code in a task must not await.
 */
// biome-ignore lint/suspicious/noExplicitAny: each yield has an answer of its own type
export type Task<Value> = Generator<unknown, Value, any>

/** Runs a task that never has to wait. */
export function runAtOnce<Value>(task: Task<Value>): Value {
  const { done, value } = task.next()
  if (done) return value
  throw new Error('a task of the local database must not wait')
}

/** A task whose answer is there already. */
// biome-ignore lint/correctness/useYield: it has nothing to wait for
export function* given<Value>(value: Value): Task<Value> {
  return value
}
