/** Files that only the user's checkout has: a committed link to one would show it to whatever follows the link. SPEC.md § VF6. */

const privateNames =
  /^(?:\.env(?:\..+)?|\.npmrc|\.netrc|\.pypirc|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|secrets?\.\w+|.+\.(?:pem|key|p12|pfx|keystore))$/i

/** Whether a link's target, which the work does not contain, is such a file or in the folder of Convene's state. */
export function isPrivateTarget(path: string): boolean {
  const parts = path.split('/')
  return parts.some((part) => part.toLowerCase() === '.convene') || privateNames.test(parts.at(-1)!)
}
