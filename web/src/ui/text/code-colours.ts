/** The syntax highlighter: large, so it loads with the first code block. */
import type { createLowlight } from 'lowlight'

export type CodeNode = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number]

/** The pieces of a text; undefined where the language is not known or there is too much of it. */
export type Highlight = (text: string, language: string) => CodeNode[] | undefined

/** Longer code is not highlighted: that would block the page. */
const longestColoured = 30_000

let loaded: Highlight | null = null
let loading: Promise<Highlight> | undefined

export const codeColours = {
  loaded: () => loaded,
  load(): Promise<Highlight> {
    loading ??= read().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  },
}

async function read(): Promise<Highlight> {
  const { common, createLowlight } = await import('lowlight')
  const lowlight = createLowlight(common)
  loaded = (text, language) => {
    if (text.length > longestColoured || !lowlight.registered(language)) return undefined
    return lowlight.highlight(language, text).children
  }
  return loaded
}
