/** Answers of the API that were asked for before anybody could read them. Each is used once, by the first who asks the same. */
const answers = new Map<string, Promise<Response>>()
/** Nobody asked for it while it was new: who asks later wants to know how it is then. */
const staleMs = 8000

export function prefetch(path: string): void {
  const answer = fetch(`/api${path}`, { headers: { accept: 'application/json' } })
  answers.set(path, answer)
  setTimeout(() => answers.delete(path), staleMs)
  // Who takes it hears of it; nobody else has to.
  answer.catch(() => {})
}

export function takePrefetched(path: string): Promise<Response> | undefined {
  const answer = answers.get(path)
  answers.delete(path)
  return answer
}
