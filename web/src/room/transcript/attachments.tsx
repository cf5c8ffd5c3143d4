/** The files and texts that a message carries, each unfolded on request. */
import type { Attachment } from '../../../../src/room/events.ts'
import { describeAttachment } from '../../../../src/rules/room/attachments.ts'
import { PayloadText } from '../../ui/text/payload-text.tsx'
import { Unfold } from '../../ui/unfold.tsx'

export function Attachments({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null
  return (
    <ul aria-label="Attachments" data-testid="attached" className="mt-1">
      {attachments.map((each) => (
        <li key={`${each.name} ${each.lines?.from} ${each.ref}`}>
          <Unfold label={describeAttachment(each)}>
            <PayloadText reference={each.ref} />
          </Unfold>
        </li>
      ))}
    </ul>
  )
}
