import { describe, expect, it } from 'vitest'
import { SerialQueue } from './serial-queue.ts'

describe('SerialQueue', () => {
  it('runs work on one key in order and work on another key meanwhile', async () => {
    const queue = new SerialQueue()
    const log: string[] = []
    let release = () => {}
    const first = queue.run('a', async () => {
      await new Promise<void>((resolve) => (release = resolve))
      log.push('a1')
    })
    const second = queue.run('a', async () => log.push('a2'))
    await queue.run('b', async () => log.push('b1'))
    release()
    await Promise.all([first, second])
    expect(log).toEqual(['b1', 'a1', 'a2'])
  })

  it('continues after work that rejected, and gives the rejection to its caller only', async () => {
    const queue = new SerialQueue()
    const failing = queue.run('a', () => Promise.reject(new Error('no')))
    const next = queue.run('a', async () => 'next')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('next')
  })

  it('settles once all work queued so far has ended', async () => {
    const queue = new SerialQueue()
    const ended: string[] = []
    queue.run('a', () => Promise.reject(new Error('no'))).catch(() => ended.push('a'))
    void queue.run('b', async () => {
      await new Promise((resolve) => setImmediate(resolve))
      ended.push('b')
    })
    await queue.settled()
    expect(ended.sort()).toEqual(['a', 'b'])
  })
})
