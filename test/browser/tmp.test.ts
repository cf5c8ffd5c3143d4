import { it } from 'vitest'
import { inBrowser } from '../support/browser.ts'
import { serve } from '../support/server.ts'
import { projectFiles, newRoom } from '../room/open-room.ts'
import { visit, collaborate, say } from './room-page.ts'
inBrowser('time', () => {
  for (const n of [1,2,3]) it(`t${n}`, async () => {
    const t0 = performance.now()
    const lap = (w: string) => console.log(n, w, Math.round(performance.now() - t0))
    const served = await serve(projectFiles([{ when: { ask: 'turn' }, text: 'x' }])); lap('served')
    const room = await newRoom(served); lap('room')
    const { page } = await visit(room); lap('visited')
    await collaborate(page); lap('collab')
    await say(page, 'hello'); lap('said')
    await page.getByTestId('session-end').waitFor(); lap('ended')
    await page.context().close(); lap('closed')
    await served.close(); lap('server closed')
  })
})
