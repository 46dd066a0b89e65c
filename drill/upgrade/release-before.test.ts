/** Tests which commit counts as the release before, in repositories of git that are made for it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../../setup/clients/run-program.ts'
import { findReleaseBefore } from './release-before.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-history-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function git(clone: string, ...words: readonly string[]): Promise<string> {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
  return (await runProgram('git', [...author, ...words], { folder: clone })).trim()
}

/** A commit that adds a migration; returns its id. */
async function addMigration(clone: string, name: string): Promise<string> {
  await writeFile(join(clone, 'gateway', 'migrations', name), '')
  await git(clone, 'add', '.')
  await git(clone, 'commit', '-m', name)
  return await git(clone, 'rev-parse', 'HEAD')
}

async function createHistory(name: string) {
  const clone = join(folder, name)
  await mkdir(join(clone, 'gateway', 'migrations'), { recursive: true })
  await git(clone, 'init', '--quiet')
  const first = await addMigration(clone, '0001-baseline.sql')
  await git(clone, 'commit', '--allow-empty', '-m', 'something else')
  const second = await git(clone, 'rev-parse', 'HEAD')
  await addMigration(clone, '0002-next.sql')
  await git(clone, 'commit', '--allow-empty', '-m', 'the newest')
  return { clone, first, second }
}

describe('the release before', () => {
  it('is the newest commit whose migrations are some of ours, while there is no tag', async () => {
    const { clone, second } = await createHistory('untagged')
    expect(await findReleaseBefore(undefined, clone)).toMatchObject({ revision: second })
    await writeFile(join(clone, 'gateway', 'migrations', '0003-draft.sql'), '')
    const head = await git(clone, 'rev-parse', 'HEAD')
    expect(await findReleaseBefore(undefined, clone)).toMatchObject({ revision: head })
  })

  it('has no migration under another number than this checkout: its database could not be upgraded', async () => {
    const { clone, second } = await createHistory('renumbered')
    await git(clone, 'mv', 'gateway/migrations/0002-next.sql', 'gateway/migrations/0003-next.sql')
    await addMigration(clone, '0002-other.sql')
    expect(await findReleaseBefore(undefined, clone)).toMatchObject({ revision: second })
  })

  it('is the newest tag of a release before this commit, or the revision that is named', async () => {
    const { clone, first, second } = await createHistory('tagged')
    await git(clone, 'tag', 'v1.0.0', first)
    await git(clone, 'tag', 'other', second)
    await git(clone, 'tag', 'v1.1.0')
    expect(await findReleaseBefore(undefined, clone)).toMatchObject({ revision: first })
    expect(await findReleaseBefore('other', clone)).toMatchObject({ revision: second })
    await expect(findReleaseBefore('v9.9.9', clone)).rejects.toThrow('name another revision with --from')
  })

  it('needs the history: a shallow clone and a folder without git are rejected with what to do', async () => {
    const { clone } = await createHistory('whole')
    await git(folder, 'clone', '--quiet', '--depth', '1', `file://${clone}`, 'shallow')
    await expect(findReleaseBefore(undefined, join(folder, 'shallow'))).rejects.toThrow('git fetch --unshallow --tags')
    await expect(findReleaseBefore(undefined, folder)).rejects.toThrow('is not a clone')
  })
})
