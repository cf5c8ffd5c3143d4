/** The contract of every forge: one list of labels, one comment per marker, idempotent calls. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Forge, ForgeFailed, marked, markerFor } from '../../src/forge/forge.ts'
import { ownLabelDefinitions } from '../../src/forge/own-labels.ts'

export interface OpenedForge {
  forge: Forge
  /** What a person does and sees there. */
  addIssue(issue: { title: string; body?: string; labels?: string[] }): Promise<number>
  addComment(issue: number, body: string): Promise<void>
  commentsOf(issue: number): Promise<string[]>
  labels(): Promise<{ name: string; color: string; description: string }[]>
  /** A pull request that a person opened; returns its number. */
  addPullRequest(request: { head: string; base: string; title: string; body: string }): Promise<number>
  pullRequests(): Promise<{ title: string; body: string }[]>
  close(): Promise<void>
}

export function forgeContract(name: string, open: () => Promise<OpenedForge>): void {
  describe(`${name} forge`, () => {
    let opened: OpenedForge
    let forge: Forge

    beforeEach(async () => {
      opened = await open()
      forge = opened.forge
    })
    afterEach(() => opened.close())

    const marker = markerFor('shop', 1)

    it('[GH1] creates missing labels, and leaves existing ones unchanged', async () => {
      await forge.ensureLabels([{ name: 'swarm:done', color: '111111', description: 'by hand' }])
      await forge.ensureLabels(ownLabelDefinitions())
      await forge.ensureLabels(ownLabelDefinitions())
      const ours = (await opened.labels()).filter(({ name }) => name.startsWith('swarm:'))
      expect(ours.map(({ name }) => name).sort()).toEqual([
        'swarm:blocked',
        'swarm:done',
        'swarm:in-progress',
        'swarm:ready',
      ])
      expect(ours.find(({ name }) => name === 'swarm:done')).toMatchObject({ color: '111111', description: 'by hand' })
      expect(ours.find(({ name }) => name === 'swarm:ready')).toMatchObject(ownLabelDefinitions()[0]!)
    })

    it('reads an issue as a person wrote it', async () => {
      const number = await opened.addIssue({ title: 'Log in', body: 'Über <b>all</b>\n- [ ] x', labels: ['bug'] })
      expect(await forge.getIssue(number)).toMatchObject({
        number,
        title: 'Log in',
        body: 'Über <b>all</b>\n- [ ] x',
        labels: ['bug'],
        state: 'open',
      })
    })

    it('returns an empty description for an issue without one', async () => {
      const number = await opened.addIssue({ title: 'Bare' })
      expect((await forge.getIssue(number)).body).toBe('')
    })

    it('[GH1] replaces the whole list of labels, repeatedly', async () => {
      const number = await opened.addIssue({ title: 'A', labels: ['bug', 'swarm:ready'] })
      await forge.setLabels(number, ['bug', 'swarm:done'])
      await forge.setLabels(number, ['bug', 'swarm:done'])
      expect((await forge.getIssue(number)).labels.sort()).toEqual(['bug', 'swarm:done'])
    })

    it('[GH3] keeps one comment per issue: created once, then edited', async () => {
      const number = await opened.addIssue({ title: 'A' })
      await opened.addComment(number, 'a person asks')
      const first = await forge.putComment(number, marker, 'one')
      const second = await forge.putComment(number, marker, 'two')
      const third = await forge.putComment(number, marker, 'two')
      expect(first.created).toBe(true)
      expect([second, third]).toEqual([
        { id: first.id, created: false },
        { id: first.id, created: false },
      ])
      expect(await opened.commentsOf(number)).toEqual(['a person asks', marked(marker, 'two')])
    })

    it('[GH3] ignores a marker in the middle of a text, or of another issue', async () => {
      const number = await opened.addIssue({ title: 'A' })
      const others = [`look: ${marker}`, marked(markerFor('shop', 11), 'x'), marked(markerFor('shop-1', 1), 'x')]
      for (const other of others) await opened.addComment(number, other)
      expect((await forge.putComment(number, marker, 'mine')).created).toBe(true)
      expect(await opened.commentsOf(number)).toEqual([...others, marked(marker, 'mine')])
    })

    it('[GH3] merges a duplicate comment into one', async () => {
      const number = await opened.addIssue({ title: 'A' })
      await opened.addComment(number, marked(marker, 'first'))
      await opened.addComment(number, 'between')
      await opened.addComment(number, marked(marker, 'second'))
      expect((await forge.putComment(number, marker, 'third')).created).toBe(false)
      expect(await opened.commentsOf(number)).toEqual([marked(marker, 'third'), 'between'])
    })

    it('[GH3] finds its comment among more than a page of others', async () => {
      const number = await opened.addIssue({ title: 'A' })
      for (let count = 0; count < 101; count++) await opened.addComment(number, `comment ${count}`)
      await forge.putComment(number, marker, 'one')
      await forge.putComment(number, marker, 'two')
      const comments = await opened.commentsOf(number)
      expect(comments.filter((body) => body.startsWith(marker))).toEqual([marked(marker, 'two')])
      expect(comments).toHaveLength(102)
    })

    it('closes and reopens, also an issue that already is', async () => {
      const number = await opened.addIssue({ title: 'A' })
      await forge.closeIssue(number)
      await forge.closeIssue(number)
      expect((await forge.getIssue(number)).state).toBe('closed')
      await forge.reopenIssue(number)
      await forge.reopenIssue(number)
      expect((await forge.getIssue(number)).state).toBe('open')
    })

    it('lists issues by label and state, the lowest number first', async () => {
      const a = await opened.addIssue({ title: 'A', labels: ['auth'] })
      const b = await opened.addIssue({ title: 'B', labels: ['two words', 'auth'] })
      const c = await opened.addIssue({ title: 'C', labels: ['other'] })
      await opened.addPullRequest({ head: 'feature', base: 'main', title: 'P', body: '' })
      await forge.closeIssue(a)
      const numbers = async (query: Parameters<Forge['listIssues']>[0]) =>
        (await forge.listIssues(query)).map(({ number }) => number)
      expect(await numbers({})).toEqual([b, c])
      expect(await numbers({ label: 'auth' })).toEqual([b])
      expect(await numbers({ label: 'auth', state: 'all' })).toEqual([a, b])
      expect(await numbers({ state: 'closed' })).toEqual([a])
      expect(await numbers({ label: 'two words' })).toEqual([b])
      expect(await numbers({ label: 'two words,auth' })).toEqual([])
      expect(await numbers({ label: 'nobody has it', state: 'all' })).toEqual([])
    })

    it('lists more than a page', async () => {
      for (let count = 0; count < 103; count++) await opened.addIssue({ title: `issue ${count}`, labels: ['many'] })
      const found = await forge.listIssues({ label: 'many' })
      expect(found.map(({ title }) => title)).toEqual(Array.from({ length: 103 }, (_, index) => `issue ${index}`))
    })

    it('reports a missing issue as a permanent failure', async () => {
      const calls = [
        () => forge.getIssue(999),
        () => forge.setLabels(999, ['bug']),
        () => forge.putComment(999, marker, 'x'),
        () => forge.closeIssue(999),
        () => forge.reopenIssue(999),
      ]
      for (const call of calls) {
        const error = await call().then(
          () => null,
          (thrown: unknown) => thrown,
        )
        expect(error).toBeInstanceOf(ForgeFailed)
        expect(error).toMatchObject({ code: 'forge_not_found', retryable: false })
      }
    })

    it('does not treat a pull request as an issue', async () => {
      const number = await opened.addPullRequest({ head: 'feature', base: 'main', title: 'P', body: '' })
      await expect(forge.getIssue(number)).rejects.toMatchObject({ code: 'forge_not_found', retryable: false })
    })

    it('lists the comments on an issue, oldest first, and the changes', async () => {
      const issue = await opened.addIssue({ title: 'A' })
      await opened.addComment(issue, 'one')
      await opened.addComment(issue, 'two')
      const comments = await forge.listComments(issue, { since: new Date(0).toISOString() })
      expect(comments.map(({ issue: about, body }) => [about, body])).toEqual([
        [issue, 'one'],
        [issue, 'two'],
      ])
      const since = new Date(Date.now() - 60_000).toISOString()
      expect((await forge.listIssues({ state: 'all', since })).map(({ number }) => number)).toContain(issue)
    })

    it('opens an issue once, also if it was closed since', async () => {
      const request = { title: 'Refund', body: 'Once.', marker }
      const first = await forge.createIssue(request)
      expect(first).toMatchObject({ created: true })
      expect(await forge.createIssue({ ...request, title: 'Refunds' })).toEqual({ ...first, created: false })
      await forge.closeIssue(first.number)
      expect(await forge.createIssue(request)).toEqual({ ...first, created: false })
      expect(await forge.getIssue(first.number)).toMatchObject({ title: 'Refund', body: marked(marker, 'Once.') })
      const other = await forge.createIssue({ ...request, marker: markerFor('shop', 999) })
      expect(other).toMatchObject({ created: true })
    })

    it('opens a pull request once, and updates it', async () => {
      const request = { head: 'convene/shop/main', base: 'main', title: 'Shop', body: 'one', marker }
      const first = await forge.openPullRequest(request)
      const second = await forge.openPullRequest({ ...request, title: 'The shop', body: 'two' })
      expect(first).toMatchObject({ created: true })
      expect(second).toEqual({ ...first, created: false })
      expect(await opened.pullRequests()).toEqual([{ title: 'The shop', body: marked(marker, 'two') }])
    })

    it("leaves a person's pull request unchanged", async () => {
      const theirs = { head: 'convene/shop/main', base: 'main', title: 'Mine', body: 'by hand' }
      const number = await opened.addPullRequest(theirs)
      const found = await forge.openPullRequest({ ...theirs, title: 'Shop', body: 'x', marker })
      expect(found).toMatchObject({ number, created: false })
      expect(await opened.pullRequests()).toEqual([{ title: 'Mine', body: 'by hand' }])
    })
  })
}
