/* node:coverage disable */
/** uvu has no reporters and prints no names: its source is extended on loading to hand over each suite before it runs. */
const { existsSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { failureText } = require('./report-file.cjs')

const isUvu = (path) => /[\\/]uvu[\\/]dist[\\/]index\.m?js$/.test(path)

function extended(source) {
  return source
    .replace(
      /async function runner\(ctx, name\) \{/,
      '$& if (globalThis.conveneUvu) ctx = globalThis.conveneUvu(ctx, name);',
    )
    .replace(
      /test\.skip = \(\) => \{\s*ctx\.skips\+\+\s*;?\s*\}/,
      'test.skip = (name) => { ctx.skips++; (ctx.skipped ||= []).push(name) }',
    )
    .replace(
      /let copy = \{ \.\.\.ctx \};/,
      '$& ctx.skipped = []; copy.group = (UVU_QUEUE[globalThis.UVU_INDEX || 0] || [])[0];',
    )
}

/** Reports each suite that the extended uvu hands over. */
function watchUvu(write) {
  globalThis.conveneUvu = (ctx, name) => {
    const place = { suite: name ? [name] : [], ...fileOf(ctx.group) }
    const watched = ({ name: title, handler }) => ({
      name: title,
      async handler(...given) {
        try {
          const result = await handler.apply(this, given)
          write({ ...place, name: title, state: 'passed' })
          return result
        } catch (error) {
          write({ ...place, name: title, state: 'failed', failure: failureText(error) })
          throw error
        }
      },
    })
    const left = ctx.only.length > 0 ? ctx.tests.map((test) => test.name) : []
    for (const title of [...(ctx.skipped || []), ...left]) write({ ...place, name: title, state: 'skipped' })
    return { ...ctx, tests: ctx.tests.map(watched), only: ctx.only.map(watched) }
  }
}

/** uvu names a file relative to the folder that it was given. */
function fileOf(group) {
  if (typeof group !== 'string') return process.argv[1] ? { file: process.argv[1] } : {}
  const folders = [...process.argv.slice(2).filter((word) => !word.startsWith('-')), '.']
  const file = folders.map((folder) => join(resolve(folder), group)).find((path) => existsSync(path))
  return file ? { file } : {}
}

module.exports = { extended, isUvu, watchUvu }
