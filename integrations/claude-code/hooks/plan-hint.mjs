/**
 * Suggests how thoroughly to plan, by the rule of the installed Convene. Claude Code copies a plugin, so the rule is looked
 * up through the `convene` command. Without it this says nothing; it never stands in the way of a prompt.
 */
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const command = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'convene'))
  .find((file) => existsSync(file))
const hook = command && join(dirname(realpathSync(command)), '../hooks/plan-hint.mjs')
if (hook && existsSync(hook)) await import(pathToFileURL(hook).href).catch(() => {})
