/** A sentence of Convene's own in which backticks mark what to type. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
      <code key={index} className="numbers text-[12px]">
        {part}
      </code>
    ),
  )
}
