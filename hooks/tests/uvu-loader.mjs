/* node:coverage disable */
/** A module hook: extends uvu's source where it is imported. */
import uvu from './uvu-source.cjs'

export async function load(url, context, next) {
  const loaded = await next(url, context)
  if (!uvu.isUvu(url) || loaded.source == null) return loaded
  const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
  return { ...loaded, source: uvu.extended(text) }
}
