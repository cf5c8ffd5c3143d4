/** Tells on every page that a question is waiting, with a link to it. */
import { Link, useLocation } from 'wouter'
import { questionAddress } from '../data/addresses/question.ts'
import { live } from '../data/feed/live.ts'
import { useWatched } from '../data/watched.ts'
import { Icon } from '../ui/icons.tsx'

export function WaitingBanner() {
  const questions = useWatched(live.questions.open)
  const [location] = useLocation()
  const elsewhere = questions.flatMap((question) => {
    const address = questionAddress(question)
    const isHere = address !== null && isWithin(location, address.split(/\/(?:nodes|phases|issues)\//)[0]!)
    return address === null || isHere ? [] : [{ question, address }]
  })
  const [first] = elsewhere
  return (
    <div role="status" aria-live="polite">
      {first ? (
        <p
          data-testid="waiting-banner"
          className="flex items-center gap-2 bg-accent-soft px-3.5 py-1.5 text-small text-ink md:px-5"
        >
          <span className="text-accent">
            <Icon name="why" size={14} />
          </span>
          <b className="font-semibold whitespace-nowrap">
            {elsewhere.length === 1
              ? `A ${askerOf(first.address)} needs your answer`
              : `${elsewhere.length} questions waiting for you`}
          </b>
          <span className="min-w-0 truncate text-ink-2">{first.question.text}</span>
          <Link href={first.address} className="ml-auto shrink-0 font-medium text-accent underline underline-offset-2">
            Answer
          </Link>
        </p>
      ) : null}
    </div>
  )
}

const askerOf = (address: string) =>
  address.startsWith('/plans/') ? 'plan' : address.startsWith('/features/') ? 'feature' : 'build'

const isWithin = (location: string, place: string) => location === place || location.startsWith(`${place}/`)
