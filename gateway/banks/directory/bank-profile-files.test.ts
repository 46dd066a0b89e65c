/** Tests that the operator's profiles are reloaded, and that an error in one takes no bank out of service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import shipped from '../../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import { type BankProfiles, openBankProfiles } from './bank-profile-files.ts'

let folder: string
let reported: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-profiles-'))
  reported = []
})
afterEach(() => rm(folder, { recursive: true }))

const open = (): Promise<BankProfiles> =>
  openBankProfiles(folder, { error: (...line: unknown[]) => void reported.push(JSON.stringify(line)) })
const write = (name: string, changes: object) =>
  writeFile(join(folder, `${name}.json`), JSON.stringify({ ...shipped, name, ...changes }))

describe("the operator's folder", () => {
  test('is read in addition to the shipped one, and again when a file is added, changed or deleted', async () => {
    const profiles = await open()
    const before = await profiles.current()
    expect(before.has('own')).toBe(false)
    expect(await profiles.current()).toBe(before)

    await write('own', {})
    const own = (await profiles.current()).get('own')
    expect(own).toMatchObject({ name: 'own', maxConsentValidityDays: 180 })
    expect((await profiles.current()).get('own')).toBe(own)
    expect(profiles.isOfOperator('own')).toBe(true)
    expect(profiles.isOfOperator('norwegian-redirect')).toBe(false)

    await write('own', { maxConsentValidityDays: 90 })
    expect((await profiles.current()).get('own')).toMatchObject({ maxConsentValidityDays: 90 })
    await rm(join(folder, 'own.json'))
    expect((await profiles.current()).has('own')).toBe(false)
  })

  test('keeps the last valid profile while a file has an error, and logs it once', async () => {
    await write('own', {})
    const profiles = await open()
    await write('own', { oauth: 'sometimes' })
    expect((await profiles.current()).get('own')).toMatchObject({ oauth: 'none' })
    await profiles.current()
    expect(reported).toHaveLength(1)
    expect(reported[0]).toContain('/oauth')
    expect(profiles.faultOf('own')).toContain('/oauth')
    await write('own', { oauth: 'integrated' })
    expect((await profiles.current()).get('own')).toMatchObject({ oauth: 'integrated' })
    expect(profiles.faultOf('own')).toBeUndefined()
  })

  test('skips a file that was never valid, and stops nothing', async () => {
    await writeFile(join(folder, 'own.json'), '{')
    const profiles = await open()
    expect((await profiles.current()).has('norwegian-redirect')).toBe(true)
    expect((await profiles.current()).has('own')).toBe(false)
    expect(reported).toHaveLength(1)
  })

  test('may have a profile that replaces a shipped one', async () => {
    await write('norwegian-redirect', { maxConsentValidityDays: 30 })
    expect((await (await open()).current()).get('norwegian-redirect')).toMatchObject({ maxConsentValidityDays: 30 })
  })

  test('that does not exist is reported at the start', async () => {
    await expect(openBankProfiles(join(folder, 'none'), { error: () => undefined })).rejects.toThrow(
      'create the folder',
    )
  })
})
