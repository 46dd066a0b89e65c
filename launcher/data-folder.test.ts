/** Tests that a data folder is created once, protects its master key, and has one holder at a time. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseMasterKeys } from '../gateway/platform/crypto/envelope-encryption.ts'
import { type DataFolder, dataFolderPaths, lockDataFolder, prepareDataFolder } from './data-folder.ts'

let folder: DataFolder

beforeEach(async () => {
  folder = dataFolderPaths(join(await mkdtemp(join(tmpdir(), 'havn-data-')), 'inner'))
})

afterEach(() => rm(join(folder.path, '..'), { recursive: true }))

describe('prepareDataFolder', () => {
  it('creates a master key that only its owner may read, once', async () => {
    await prepareDataFolder(folder)
    const text = await readFile(folder.masterKeyFile, 'utf8')
    expect(parseMasterKeys(text)).toHaveLength(1)
    expect((await stat(folder.masterKeyFile)).mode & 0o777).toBe(0o600)
    await prepareDataFolder(folder)
    expect(await readFile(folder.masterKeyFile, 'utf8')).toBe(text)
  })
})

describe('lockDataFolder', () => {
  it('gives the folder to one of several concurrent callers, and names the holder to the others', async () => {
    const requested = await Promise.allSettled(Array.from({ length: 6 }, () => lockDataFolder(folder)))
    const won = requested.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const lost = requested.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(won).toHaveLength(1)
    expect(lost).toHaveLength(5)
    expect(lost[0]).toContain(`already running with ${folder.path} (process ${process.pid})`)
    await won[0]?.()
    await (await lockDataFolder(folder))()
  })

  it.each([
    ['a process that has ended', { pid: 4_194_303, startedAt: '1' }],
    ['a process id that another program has now', { pid: process.pid, startedAt: 'another time' }],
    ['a truncated file', 'broken'],
    ['a file of another form', { pid: String(process.pid), startedAt: '1' }],
  ])('acquires the folder from %s', async (_case, left) => {
    await prepareDataFolder(folder)
    await writeFile(
      join(folder.path, 'holder.json'),
      JSON.stringify(left)
        .slice(0, -1)
        .concat(left === 'broken' ? '' : '}'),
    )
    const letGo = await lockDataFolder(folder)
    await letGo()
  })
})
