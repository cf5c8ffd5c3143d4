/** Checks for every page: nothing overflows, every control has a name. */
import type { Locator, Page } from 'playwright-core'

/**
 * Elements wider than their container. Code and tables scroll inside themselves, names are truncated with an ellipsis.
 */
export function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('html, body, body *')]
      .filter((each) => {
        const { overflowX, textOverflow, clip, clipPath } = getComputedStyle(each)
        if (
          overflowX === 'visible' ||
          textOverflow === 'ellipsis' ||
          each.matches('pre *, pre, svg, svg *, .react-flow *, .react-flow, textarea[wrap=off], :has(> table)')
        )
          return false
        if (clip !== 'auto' || clipPath !== 'none') return false
        return each.scrollWidth > each.clientWidth + 1
      })
      .map((each) => `${each.tagName} ${each.className} ${each.scrollWidth} > ${each.clientWidth}`),
  )
}

/** Cells of a table whose text runs into the next one. */
export function overlapping(table: Locator): Promise<string[]> {
  return table.evaluate((element) =>
    [...element.querySelectorAll<HTMLTableRowElement>('tbody tr, tfoot tr')].flatMap((row) => {
      const cells = [...row.cells].map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        const { left, right, width } = range.getBoundingClientRect()
        return { left, right, width, words: cell.textContent }
      })
      const shown = cells.filter(({ width }) => width > 1)
      return shown.flatMap(({ right, words }, index) => {
        const next = shown[index + 1]
        return next && next.left < right + 4 ? [`${words} | ${next.words}`] : []
      })
    }),
  )
}

const named = new Set(
  'button link textbox searchbox combobox listbox option checkbox radio radiogroup spinbutton slider switch tab dialog img tabpanel navigation log article region'.split(
    ' ',
  ),
)

/** Controls that a screen reader could announce only by their role. */
export async function nameless(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(
      ({ ignored, role, name }) => !ignored && named.has(String(role?.value)) && !String(name?.value ?? '').trim(),
    )
    .map(({ role, properties }) => `${role?.value} ${JSON.stringify(properties ?? [])}`)
}
