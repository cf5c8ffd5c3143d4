/* node:coverage disable */
/** Makes this process load the extended uvu. */
const Module = require('node:module')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { openReport } = require('./report-file.cjs')
const { extended, isUvu, watchUvu } = require('./uvu-source.cjs')

/** `add` adds a line to the report; without it the report is opened with the first suite. */
function loadUvu(add) {
  let opened
  const compile = Module.prototype._compile
  Module.prototype._compile = function (source, file, ...rest) {
    return compile.call(this, isUvu(file) ? extended(source) : source, file, ...rest)
  }
  Module.register?.(pathToFileURL(join(__dirname, 'uvu-loader.mjs')))
  watchUvu(
    add ??
      ((line) => {
        opened ??= openReport('uvu')
        opened.add(line)
      }),
  )
}

module.exports = { loadUvu }
