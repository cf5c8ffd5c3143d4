/** Shown when a page's object does not exist, is loading or could not be loaded. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from './button.tsx'

/** `list` is where objects of this kind are, `all` what they are called there. */
export function NotFound({ title, list, all }: { title: ReactNode; list: string; all: string }) {
  return (
    <main className="grid flex-1 place-items-center p-5 text-center">
      <div>
        <h1 className="text-title font-semibold">{title}</h1>
        <p className="mt-1 text-ink-2">
          It may belong to another project.{' '}
          <Link href={list} className="text-accent underline underline-offset-2">
            See this project's {all}
          </Link>
        </p>
      </div>
    </main>
  )
}

export function LoadFailed({ what, problem, retry }: { what: string; problem: string | undefined; retry(): unknown }) {
  return (
    <main className="grid flex-1 place-items-center p-5 text-center">
      <div role="alert">
        <h1 className="text-title font-semibold">The {what} could not be loaded</h1>
        <p className="mt-1 mb-3 text-ink-2">{problem}</p>
        <Button onClick={() => void retry()}>Try again</Button>
      </div>
    </main>
  )
}

/** `look` arranges the placeholders, `each` shapes one. */
export function PageLoading({ what, count, look, each }: { what: string; count: number; look: string; each: string }) {
  return (
    <div role="status" className="flex-1 p-5">
      <span className="sr-only">Loading the {what}…</span>
      <div aria-hidden="true" className={`grid opacity-60 ${look}`}>
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all alike
          <span key={index} className={`pulse block bg-line ${each}`} />
        ))}
      </div>
    </div>
  )
}
