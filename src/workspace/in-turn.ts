/** Work on the same thing waits for its turn, in the order it came, also between objects that share the thing. */
const last = new Map<string, Promise<unknown>>()

export function inTurn<Value>(thing: string, work: () => Promise<Value>): Promise<Value> {
  const mine = (last.get(thing) ?? Promise.resolve()).then(work, work)
  last.set(thing, mine)
  const forget = () => {
    if (last.get(thing) === mine) last.delete(thing)
  }
  mine.then(forget, forget)
  return mine
}
