/** Catches unexpected errors and shows them instead of a blank page. */
import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

export class PageError extends Component<{ children: ReactNode }, { problem: string | null }> {
  override state = { problem: null }

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    if (this.state.problem === null) return this.props.children
    return (
      <main className="grid h-full place-items-center p-6">
        <div role="alert" className="max-w-md">
          <h1 className="text-large font-semibold">Something went wrong on this page</h1>
          <p className="mt-2 text-ink-2">
            Your data is safe: everything is in the log. The error was:{' '}
            <code className="numbers wrap-anywhere">{this.state.problem}</code>
          </p>
          <Button weight="primary" className="mt-4" onClick={() => location.reload()}>
            Reload the page
          </Button>
        </div>
      </main>
    )
  }
}
