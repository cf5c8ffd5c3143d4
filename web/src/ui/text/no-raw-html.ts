/** Stands in for the plugin that would turn HTML inside Markdown into elements: it is not in the app at all, and nothing can turn it on. */
// biome-ignore lint/style/noDefaultExport: the plugin it replaces has one
export default function noRawHtml(): never {
  throw new Error('HTML inside Markdown is shown as text')
}
