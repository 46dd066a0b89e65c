/** Tests when the set-up installs: whenever the installed packages are not those of the lockfile. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agrees, isInstalled } from './install-packages.mjs'

const PG = { version: '8.23.1', integrity: 'sha512-pg' }
const MAC_ONLY = { version: '1.0.0', integrity: 'sha512-mac', optional: true }

describe('agrees', () => {
  it('holds when every package is installed in the locked version', () => {
    expect(agrees({ '': {}, 'node_modules/pg': PG }, { 'node_modules/pg': PG })).toBe(true)
  })

  it('ignores missing optional packages, which may be for other platforms', () => {
    expect(agrees({ 'node_modules/pg': PG, 'node_modules/mac': MAC_ONLY }, { 'node_modules/pg': PG })).toBe(true)
  })

  it.each([
    ['a package is missing', {}],
    ['a version differs', { 'node_modules/pg': { ...PG, version: '8.23.0' } }],
    ['the content differs under the same version', { 'node_modules/pg': { ...PG, integrity: 'sha512-other' } }],
    ['a package is not in the lockfile any more', { 'node_modules/pg': PG, 'node_modules/old': PG }],
  ])('fails when %s', (_case, present) => {
    expect(agrees({ 'node_modules/pg': PG }, present)).toBe(false)
  })

  it('fails when an optional package is installed in another version', () => {
    const present = { 'node_modules/mac': { ...MAC_ONLY, version: '0.9.0' } }
    expect(agrees({ 'node_modules/mac': MAC_ONLY }, present)).toBe(false)
  })
})

describe('isInstalled', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'havn-setup-'))
    await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/pg': PG } }))
  })
  afterEach(() => rm(root, { recursive: true }))

  it('is false in a fresh clone and after an interrupted installation', async () => {
    expect(await isInstalled(root)).toBe(false)
    await mkdir(join(root, 'node_modules'))
    await writeFile(join(root, 'node_modules', '.package-lock.json'), '{"packages": {')
    expect(await isInstalled(root)).toBe(false)
  })

  it('is true once npm has recorded the locked packages', async () => {
    await mkdir(join(root, 'node_modules'))
    const record = JSON.stringify({ packages: { 'node_modules/pg': PG } })
    await writeFile(join(root, 'node_modules', '.package-lock.json'), record)
    expect(await isInstalled(root)).toBe(true)
  })

  it('reports when the lockfile itself is missing', async () => {
    await rm(join(root, 'package-lock.json'))
    await expect(isInstalled(root)).rejects.toThrow('clone is incomplete')
  })
})
