import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Commit, gitSync } from './git-sync.ts'

const subject = (number: number) => `feat(auth): Implement issue #${number}`
const hashOf = (digit: number) => String(digit).repeat(40)
const revertOf = (digit: number) => `This reverts commit ${hashOf(digit)}.`
const trailer = (number: number) => `Some text.\n\nConvene-Issue: auth#${number}`

function done(...commits: (Commit | string)[]): number[] {
  const given = commits.map((commit) => (typeof commit === 'string' ? { subject: commit } : commit))
  return gitSync('auth', given).done.map(({ number }) => number)
}

describe('what is done', () => {
  it('[SY1] is known by subject or by trailer, by number', () => {
    expect(done(subject(12), { subject: 'Add login', body: trailer(3) }, 'Other work')).toEqual([3, 12])
    expect(done()).toEqual([])
  })

  it('[SY1] the newest standing commit is the evidence', () => {
    const commits = [
      { hash: hashOf(2), subject: 'More', body: trailer(1) },
      { hash: hashOf(1), subject: subject(1) },
    ]
    expect(gitSync('auth', commits).done).toEqual([{ number: 1, commit: commits[0], by: 'trailer' }])
  })

  it('[SY1] other features do not count', () => {
    expect(done('feat(billing): Implement issue #1', { subject: 'x', body: 'Convene-Issue: billing#2' })).toEqual([])
  })

  it('[SY1] other branches are shown, not counted, and their reverts undo nothing', () => {
    const elsewhere = { subject: subject(1), reachable: false, branch: 'topic' }
    const sync = gitSync('auth', [elsewhere])
    expect(sync).toEqual({ done: [], reverted: [], elsewhere: [{ number: 1, commit: elsewhere, by: 'subject' }] })
    expect(done({ subject: `Revert "${subject(1)}"`, reachable: false }, subject(1))).toEqual([1])
  })

  it('[SY1] a merge that mentions an issue in its text is none, one with the trailer is', () => {
    expect(done({ subject: "Merge branch 'convene/auth/1'", body: `* ${subject(1)}` })).toEqual([])
    expect(done({ subject: 'Merge pull request #1 from acme/auth', body: subject(1) })).toEqual([])
    expect(done({ subject: "Merge branch 'convene/auth/1'", body: trailer(1) })).toEqual([1])
  })

  it('[SY1] cherry-picks and squashes keep their trailers', () => {
    const picked = `${trailer(1)}\n(cherry picked from commit ${hashOf(9)})`
    expect(done({ subject: 'Add login', body: picked })).toEqual([1])
    const byForge = `* one\n\n${trailer(1)}\n\n* two\n\n${trailer(2)}\n\n---------\n\nCo-authored-by: B <b@c>`
    expect(done({ subject: 'Auth (#34)', body: byForge })).toEqual([1, 2])
    const byGit = `commit ${hashOf(2)}\nAuthor: A\n\n    ${subject(2)}\n\ncommit ${hashOf(1)}\nAuthor: A\n\n    ${subject(1)}`
    expect(done({ subject: 'Squashed commit of the following:', body: byGit })).toEqual([1, 2])
  })

  it('[SY1] release notes that list subjects as bullets are no work', () => {
    expect(done({ subject: 'Release 1.0', body: `* ${subject(1)}\n\n* ${subject(2)}\n` })).toEqual([])
  })

  it('[SY1] what a squash holds and takes back again is not done', () => {
    const byForge = `* one\n\n${trailer(1)}\n\n* Revert "${subject(1)}"\n\n${revertOf(9)}\n\n* two\n\n${trailer(2)}`
    expect(done({ subject: 'Auth (#34)', body: byForge })).toEqual([2])
  })
})

describe('reverts', () => {
  it('[SY1] undo what they name by subject', () => {
    const commits = [{ subject: `Revert "${subject(1)}"` }, { subject: subject(1) }, { subject: subject(2) }]
    expect(gitSync('auth', commits)).toMatchObject({ done: [{ number: 2 }], reverted: [1] })
  })

  it('[SY1] count with a pull request number behind them', () => {
    expect(done(`Revert "${subject(1)} (#34)" (#35)`, `${subject(1)} (#34)`)).toEqual([])
    expect(done(`Revert "${subject(1)}" (#35)`, `${subject(1)} (#34)`)).toEqual([])
  })

  it('[SY1] of another issue undo nothing here: #1 is not #12', () => {
    expect(done(`Revert "${subject(12)}"`, subject(1))).toEqual([1])
    expect(done(`Revert "${subject(1)}"`, subject(12))).toEqual([12])
    expect(done('Revert "feat(billing): Implement issue #1"', subject(1))).toEqual([1])
  })

  it('[SY1] undo a commit known by its trailer alone', () => {
    const work = { subject: 'Add login', body: trailer(1) }
    expect(done('Revert "Add login"', work)).toEqual([])
    expect(done(`Revert "${subject(1)}"`, work)).toEqual([])
  })

  it('[SY1] are no work themselves, whatever trailer they carry', () => {
    expect(done({ subject: `Revert "${subject(1)}"`, body: trailer(1) }, subject(1))).toEqual([])
    expect(done({ subject: `Revert "${subject(1)}"`, body: trailer(1) })).toEqual([])
  })

  it('[SY1] a revert of the revert restores the work, in every form and depth', () => {
    const once = `Revert "${subject(1)}"`
    expect(done(`Revert "${once}"`, once, subject(1))).toEqual([1])
    expect(done(`Reapply "${subject(1)}"`, once, subject(1))).toEqual([1])
    expect(done(`Revert "Reapply "${subject(1)}""`, `Reapply "${subject(1)}"`, once, subject(1))).toEqual([])
    expect(done(`Revert "Revert "${once}""`, `Revert "${once}"`, once, subject(1))).toEqual([])
    expect(done(`Reapply "Add login"`, 'Revert "Add login"', { subject: 'Add login', body: trailer(1) })).toEqual([1])
  })

  it('[SY1] work done again after a revert counts', () => {
    expect(done(subject(1), `Revert "${subject(1)}"`, subject(1))).toEqual([1])
    expect(done(`Revert "${subject(1)}"`, subject(1), `Revert "${subject(1)}"`, subject(1))).toEqual([])
    expect(done(subject(1), `Revert "${subject(1)}"`)).toEqual([1])
  })

  it('[SY1] by hash undo that commit and no other', () => {
    const first = { hash: hashOf(1), subject: subject(1) }
    const second = { hash: hashOf(2), subject: subject(1) }
    const revert = (digit: number) => ({ hash: hashOf(8), subject: `Revert "${subject(1)}"`, body: revertOf(digit) })
    expect(done(revert(1), second, first)).toEqual([1])
    expect(gitSync('auth', [revert(1), second, first]).done[0]!.commit).toBe(second)
    expect(done(revert(1), first)).toEqual([])
  })

  it('[SY1] hashes may be abbreviated on either side, and the subject may be anything', () => {
    const work = { hash: 'abcdef0123456789abcdef0123456789abcdef01', subject: subject(1) }
    expect(done({ subject: 'Back it out', body: 'This reverts commit ABCDEF0.' }, work)).toEqual([])
    expect(
      done({ subject: 'Back it out', body: `This reverts commit ${work.hash}.` }, { ...work, hash: 'abcdef0' }),
    ).toEqual([])
    expect(done({ subject: 'Back it out', body: 'This reverts commit abcdef1.' }, work)).toEqual([1])
    expect(done({ subject: 'Back it out', body: 'This reverts commit abc.' }, work)).toEqual([1])
  })

  it('[SY1] by hash can be reverted by hash, under any subject', () => {
    const work = { hash: hashOf(1), subject: 'Add login', body: trailer(1) }
    const revert = { hash: hashOf(2), subject: 'Out with it', body: revertOf(1) }
    const again = { hash: hashOf(3), subject: 'In with it', body: revertOf(2) }
    expect(done(revert, work)).toEqual([])
    expect(done(again, revert, work)).toEqual([1])
    expect(done({ hash: hashOf(4), subject: 'Out again', body: revertOf(3) }, again, revert, work)).toEqual([])
  })

  it('[SY1] with a hash that is not in the list go by the subject', () => {
    expect(
      done({ subject: `Revert "${subject(1)}"`, body: revertOf(9) }, { hash: hashOf(1), subject: subject(1) }),
    ).toEqual([])
  })

  it('[SY1] written by hand undo the issue they name in their trailer or text', () => {
    expect(done({ subject: 'Back out login', body: `${revertOf(9)}\n\nConvene-Issue: auth#1` }, subject(1))).toEqual([])
    expect(done({ subject: 'Back out', body: `${revertOf(9).slice(0, -1)} ("${subject(1)}").` }, subject(1))).toEqual(
      [],
    )
    expect(done({ subject: `revert: ${subject(1)}` }, subject(1))).toEqual([])
  })

  it('[SY1] written by hand are no work, though they carry the trailer of what they undo', () => {
    const work = { hash: hashOf(1), subject: 'Add login', body: trailer(1) }
    expect(done({ subject: 'Back out login', body: `${revertOf(1)}\n\nConvene-Issue: auth#1` }, work)).toEqual([])
  })

  it('[SY1] may come with the implementation of another issue', () => {
    const body = `${revertOf(9).slice(0, -1)} ("${subject(1)}").`
    expect(done({ subject: subject(2), body }, subject(1))).toEqual([2])
  })

  it('[SY1] restored work counts even if the original commit is not in the list', () => {
    expect(done(`Reapply "${subject(1)}"`)).toEqual([1])
    expect(done(`Reapply "${subject(1)}"`, { subject: subject(1), reverted: true })).toEqual([1])
    expect(done(`Revert "${subject(1)}"`, `Reapply "${subject(1)}"`)).toEqual([])
  })

  it('[SY1] a revert that was undone takes nothing with it', () => {
    const part = { hash: hashOf(1), subject: 'Add tests', body: trailer(1) }
    const revert = { hash: hashOf(2), subject: `Revert "${subject(1)}"` }
    expect(done({ subject: 'In with it', body: revertOf(2) }, revert, part)).toEqual([1])
  })

  it('[SY1] are not what a sentence only sounds like', () => {
    expect(done({ subject: 'Add login', body: `This reverts commit habits.\n\nConvene-Issue: auth#1` })).toEqual([1])
  })

  it('[SY1] of something else on the way do not unmake an implementation', () => {
    const work = { subject: subject(2), body: `${revertOf(5)}\n\nConvene-Issue: auth#2` }
    expect(done(work, { hash: hashOf(5), subject: 'Old way' })).toEqual([2])
    expect(done({ ...work, subject: 'Add logout' }, { hash: hashOf(5), subject: 'Old way' })).toEqual([2])
  })

  it('[SY1] of the top commit take the commits that led to it along', () => {
    const part = { hash: hashOf(1), subject: 'Add tests', body: trailer(1) }
    const top = { hash: hashOf(2), subject: subject(1), body: trailer(1) }
    expect(done({ subject: `Revert "${subject(1)}"`, body: revertOf(2) }, top, part)).toEqual([])
    expect(done({ subject: 'Revert "Add tests"', body: revertOf(1) }, top, part)).toEqual([1])
  })

  it('[SY1] of a merge take back everything it brought in, and no more', () => {
    const before = { hash: hashOf(1), parents: [], subject: subject(1) }
    const work = { hash: hashOf(2), parents: [hashOf(1)], subject: subject(2) }
    const merge = { hash: hashOf(3), parents: [hashOf(1), hashOf(2)], subject: "Merge branch 'convene/auth/main'" }
    const revert = {
      hash: hashOf(4),
      parents: [hashOf(3)],
      subject: `Revert "${merge.subject}"`,
      body: `This reverts commit ${hashOf(3)}, reversing\nchanges made to ${hashOf(1)}.`,
    }
    expect(done(merge, work, before)).toEqual([1, 2])
    expect(done(revert, merge, work, before)).toEqual([1])
    const again = { hash: hashOf(5), parents: [hashOf(4)], subject: `Reapply "${merge.subject}"`, body: revertOf(4) }
    expect(done(again, revert, merge, work, before)).toEqual([1, 2])
  })

  it('[SY1] that the caller knows of count', () => {
    expect(done({ subject: subject(1), reverted: true })).toEqual([])
    expect(done({ subject: subject(1), reverted: true }, { subject: 'Part', body: trailer(1) })).toEqual([1])
    expect(done({ subject: `Revert "${subject(1)}"`, reverted: true }, subject(1))).toEqual([1])
  })

  it('[SY1] for any history of one issue, the newest statement decides', () => {
    const turn = fc.constantFrom('work', 'revert', 'reapply')
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), (wishes) => {
        let stands = false
        let wasThere = false
        const history: string[] = []
        for (const wish of wishes) {
          if (wish === 'work') history.unshift(subject(1))
          else if (wish === 'revert' && stands) history.unshift(`Revert "${subject(1)}"`)
          else if (wish === 'reapply' && wasThere && !stands) history.unshift(`Reapply "${subject(1)}"`)
          else continue
          stands = wish !== 'revert'
          wasThere = true
        }
        expect(done(...history)).toEqual(stands ? [1] : [])
      }),
    )
  })

  it('[SY1] for any chain of reverts by hash, every second one restores', () => {
    fc.assert(
      fc.property(fc.nat(12), (length) => {
        const hash = (index: number) => index.toString(16).padStart(40, 'a')
        const chain: Commit[] = [{ hash: hash(0), subject: 'Add login', body: trailer(1) }]
        for (let index = 1; index <= length; index++) {
          chain.unshift({
            hash: hash(index),
            subject: 'Turn it round',
            body: `This reverts commit ${hash(index - 1)}.`,
          })
        }
        expect(done(...chain)).toEqual(length % 2 === 0 ? [1] : [])
      }),
    )
  })
})
