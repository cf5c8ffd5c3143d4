/** A plan's document without its machine-readable parts. */
/** Strips front matter and the marks that link decisions to turns. */
export function readable(text: string): string {
  const body = text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '')
  return body.replace(/ ?<sub>turn [^<>\n]*<\/sub>/g, '').trim()
}

export const hasDiagram = (text: string) => /^ {0,3}(```|~~~)\s*mermaid\b/m.test(text)

/** The path as one would type it in the project, where the folder lies in it as usual. */
export function shortFolder(folder: string): string {
  const at = folder.lastIndexOf('/.convene/')
  return at === -1 ? folder : folder.slice(at + 1)
}
