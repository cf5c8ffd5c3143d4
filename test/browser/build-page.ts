/** What tests see and do on the page of a build. */
import type { Page } from 'playwright-core'

export const card = (page: Page, key: string) => page.locator(`[data-testid=node-card][data-node="${key}"]`)

/** The page of a build's only node, or the panel of a chosen one. */
export const nodePanel = (page: Page) => page.getByTestId('node-inspector')

export async function writeSpec(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Spec, YAML or JSON' }).fill(text)
}
