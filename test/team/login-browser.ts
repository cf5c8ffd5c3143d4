/** What a browser does in a login. */

/** Follows redirects with cookies, each host with its own. */
export function browserOf(home: string) {
  const jars = new Map<string, Map<string, string>>()
  const send = async (address: string, method = 'GET') => {
    const url = new URL(address, home)
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { method, redirect: 'manual', headers: cookie ? { cookie } : {} })
    const cookies = response.headers.getSetCookie()
    for (const line of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get('location'),
      cookies,
      url,
    }
  }
  /** Up to the provider's answer, which is not followed. */
  const authorise = async () => {
    // Another account may be in use now.
    for (const host of jars.keys()) if (host !== new URL(home).host) jars.delete(host)
    let step = await send('/auth/login')
    while (step.location && !new URL(step.location, step.url).href.startsWith(`${home}/auth/callback`))
      step = await send(new URL(step.location, step.url).href)
    if (!step.location) throw new Error(`the provider answered ${step.status}: ${step.text}`)
    return step.location
  }
  return {
    get: (address: string) => send(address),
    post: (address: string) => send(address, 'POST'),
    authorise,
    login: async () => send(await authorise()),
  }
}
