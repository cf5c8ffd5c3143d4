/* node:coverage disable */
/** Keeps the preload in every child process, and takes the scripts apart that a package manager starts. */
const children = require('node:child_process')
const { syncBuiltinESMExports } = require('node:module')
const { basename } = require('node:path')
const { takeApart, withNodeOptions } = require('./parts.cjs')

const managers = /^(?:npm|corepack|pnpm|yarn|npm-run-all2?|run-z)$|^@yarnpkg\/|^@pnpm\//

function watchChildren(program = '') {
  const isManager = managers.test(program)
  for (const name of ['spawn', 'spawnSync']) {
    const start = children[name]
    children[name] = function (file, ...given) {
      const args = Array.isArray(given[0]) ? [...given[0]] : undefined
      const options = given[args ? 1 : 0] ?? {}
      const isShell = /^(?:ba|da|z|k)?sh$/.test(basename(String(file)))
      if (args && isShell && args[0] === '-c' && typeof args[1] === 'string')
        args[1] = script(args[1], isManager, options)
      // With `shell`, Node joins the command and its arguments itself.
      const joined = options.shell ? script([file, ...(args ?? [])].join(' '), isManager, options) : undefined
      const command = joined === undefined ? [file, ...(args ? [args] : [])] : [joined, []]
      return start.call(this, ...command, withPreload(options), ...given.slice(args ? 2 : 1))
    }
  }
  syncBuiltinESMExports()
}

function script(text, isManager, options) {
  const { CONVENE_REPORTS: reports, CONVENE_PART: parent, CONVENE_NODE_OPTIONS: ours, CONVENE_CHECKERS } = process.env
  if (!isManager) return withNodeOptions(text, ours)
  const where = {
    reports,
    folder: String(options.cwd ?? process.cwd()),
    parent,
    checkers: CONVENE_CHECKERS,
    script: options.env?.npm_lifecycle_event,
  }
  return withNodeOptions(takeApart(text, where), ours)
}

function withPreload(options) {
  const own = options?.env?.NODE_OPTIONS
  const ours = process.env.CONVENE_NODE_OPTIONS
  if (typeof own !== 'string' || !ours || own.includes(ours)) return options
  return { ...options, env: { ...options.env, NODE_OPTIONS: `${ours} ${own}` } }
}

module.exports = { watchChildren }
