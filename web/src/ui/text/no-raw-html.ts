/** Replaces the plugin that renders raw HTML in Markdown, so that nothing can turn it on. */
// biome-ignore lint/style/noDefaultExport: the plugin it replaces has one
export default function noRawHtml(): never {
  throw new Error('HTML inside Markdown is shown as text')
}
