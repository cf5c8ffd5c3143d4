/** A room in a browser, used as a person would use it. */
import type { Locator, Page } from 'playwright-core'
import { type Line, newRoom, type OpenRoom, projectFiles, type RoomOptions } from '../room/open-room.ts'
import { type OpenPage, openPage, type PageOptions } from '../support/browser.ts'
import { serve } from '../support/server.ts'

export interface RoomPage extends OpenPage {
  room: OpenRoom
}

export interface Shown {
  type: string
  sender: string
  target: string
  round: number | undefined
  session: string | undefined
  text: string
}

/** A room of rehearsal agents, and a page that shows it. */
export async function enterRoom(
  script: Line[],
  options: RoomOptions & PageOptions & { name?: string } = {},
): Promise<RoomPage> {
  return enterProject(projectFiles(script, options), options)
}

export async function enterProject(
  files: Record<string, string>,
  options: PageOptions & { name?: string } = {},
): Promise<RoomPage> {
  const room = await newRoom(await serve(files), options.name === undefined ? {} : { name: options.name })
  return { ...(await visit(room, options)), room }
}

export async function visit(room: OpenRoom, options: PageOptions = {}): Promise<OpenPage> {
  const open = await openPage(room.served, { path: `/rooms/${room.id}`, ...options })
  await composer(open.page).waitFor()
  return open
}

/** The same page in another tab. */
export async function anotherTab({ page, context }: OpenPage): Promise<Page> {
  const other = await context.newPage()
  await other.goto(page.url())
  await composer(other).waitFor()
  return other
}

export const composer = (page: Page) => page.getByRole('textbox', { name: 'Message the room' })
export const chip = (page: Page) => page.getByTestId('collab-chip')
export const stopButton = (page: Page) => page.getByTestId('stop')
export const sessionEnd = (page: Page) => page.getByTestId('session-end')
export const whyPanel = (page: Page) => page.getByTestId('why')

export async function chooseMode(page: Page, label: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText(label, { exact: true }).click()
}

/** Selects collaboration: who begins, and how many turns there may be. */
export async function collaborate(page: Page, options: { speaker?: string; rounds?: number } = {}): Promise<void> {
  await chooseMode(page, 'Collaborate (gpt↔claude)')
  if (options.speaker) await page.getByRole('combobox', { name: 'Speaker' }).selectOption(options.speaker)
  if (options.rounds) await page.getByRole('spinbutton', { name: 'Maximum turns' }).fill(String(options.rounds))
}

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** The transcript's visible lines, in order. */
export function shown(page: Page): Promise<Shown[]> {
  return page.getByTestId('item').evaluateAll((items) =>
    // biome-ignore lint/performance/useDomNodeTextContent: as in `textOf`
    (items as HTMLElement[]).map(({ dataset, innerText }) => ({
      type: dataset.type!,
      sender: dataset.sender!,
      target: dataset.target!,
      round: dataset.round === undefined ? undefined : Number(dataset.round),
      session: dataset.session,
      text: innerText,
    })),
  )
}

/** The authors shown, in order. */
export async function speakers(page: Page): Promise<string[]> {
  return (await shown(page)).map(({ sender }) => sender)
}

export const itemBy = (page: Page, sender: string): Locator => page.locator(`[data-testid=item][data-sender=${sender}]`)

/** The text as a reader sees it, with a space or a new line where the screen has one. */
// biome-ignore lint/performance/useDomNodeTextContent: the text of the nodes alone runs words together
export const textOf = (place: Locator): Promise<string> => place.innerText()

/** Every distinct text that an element shows from now on, in order. */
export async function watchText(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const name = `watched${Math.random().toString(36).slice(2)}`
  await page.evaluate(
    ([name, selector]) => {
      const texts: string[] = []
      const look = () => {
        // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
        const text = document.querySelector<HTMLElement>(selector!)?.innerText
        if (text !== undefined && text !== texts.at(-1)) texts.push(text)
      }
      look()
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
      Object.assign(window, { [name!]: texts })
    },
    [name, selector],
  )
  return () => page.evaluate((name) => (window as unknown as Record<string, string[]>)[name]!, name)
}
