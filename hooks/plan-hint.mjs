#!/usr/bin/env node
/**
 * A hook for Claude Code's `UserPromptSubmit`: suggests how thorough to plan, by the same rule as `convene plan`. What it
 * prints is added to the prompt's context. It never stands in the way: on anything odd it says nothing and ends with 0.
 */
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'

// The hook has no matcher: it is called for every prompt and picks out those about planning itself.
const aboutPlanning =
  /\b(plans?|planning|planned|design(s|ed|ing)?|break(ing)? (it |this |that )?down|decompos(e|es|ed|ing|ition)|road ?maps?|architect(ure|ing)?)\b/i
const longest = 200_000

/** Whatever happens, the person's prompt does not wait for it. */
setTimeout(() => process.exit(0), 1500).unref()

try {
  const { prompt } = JSON.parse(await text(process.stdin))
  if (typeof prompt === 'string' && aboutPlanning.test(prompt)) {
    const { assessRisk } = await import(ruleFile())
    const { suggestion } = assessRisk(prompt.slice(0, longest))
    if (suggestion) console.log(`Convene suggests: ${suggestion.message} (convene plan "…" --mode ${suggestion.mode})`)
  }
} catch {
  // No suggestion is better than a prompt that fails.
}
process.exitCode = 0

/** In a checkout the rule is its source; in the package it is JavaScript. */
function ruleFile() {
  const source = new URL('../src/rules/plan/risk.ts', import.meta.url)
  return (existsSync(source) ? source : new URL('../dist/rules/plan/risk.js', import.meta.url)).href
}
