/** What tests see and do on the page of a build. */
import type { Page } from 'playwright-core'

export const card = (page: Page, key: string) => page.locator(`[data-testid=node-card][data-node="${key}"]`)

export const state = (page: Page, key: string) => card(page, key).getAttribute('data-state')

export async function writeSpec(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Spec, YAML or JSON' }).fill(text)
}
