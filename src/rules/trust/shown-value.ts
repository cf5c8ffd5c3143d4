/** How a value of a configuration is shown to the person who decides about it: it cannot look like something else. SPEC.md § TR4. */

/** One line. What cannot be seen is written as an escape, and an address with foreign letters also as it is resolved. */
export function shownValue(value: string): string {
  const visible = value.replace(unseen, (one) => escapes[one] ?? `\\u{${one.codePointAt(0)!.toString(16)}}`)
  const hosts = [...value.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'\\]+/gi)].flatMap(([address]) => foreignHost(address))
  return hosts.length === 0 ? visible : `${visible} (resolved as ${[...new Set(hosts)].join(', ')})`
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Controls, what reorders or joins letters, line separators, spaces that are no space, and letters without a shape. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]|(?! )\p{Zs}|[\u115f\u1160\u3164\uffa0]/gu

function foreignHost(address: string): string[] {
  const [, named = ''] = /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#:]+)/.exec(address) ?? []
  if (/^[\x20-\x7e]*$/.test(named) || !URL.canParse(address)) return []
  // Only these schemes have their host converted.
  return [new URL(address.replace(/^[^:]+:/, 'https:')).hostname]
}
