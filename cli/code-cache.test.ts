/** Tests where `cli/havn` caches compiled code. */
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SCRIPT = new URL('havn', import.meta.url)
/** In place of the runtime: prints where it would cache. */
const RUNTIME = '#!/bin/sh\necho "$NODE_COMPILE_CACHE"\n'

it('is in the installation, or in the folder of the user or of the setting', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'havn-cache-'))
  const installation = async (name: string) => {
    const bin = join(folder, name, 'node_modules', '.bin')
    await Promise.all([mkdir(bin, { recursive: true }), mkdir(join(folder, name, 'cli'), { recursive: true })])
    await writeFile(join(bin, 'node'), RUNTIME)
    await copyFile(SCRIPT, join(folder, name, 'cli', 'havn'))
    await Promise.all([join(bin, 'node'), join(folder, name, 'cli', 'havn')].map((file) => chmod(file, 0o755)))
    return join(folder, name)
  }
  const [writable, readOnly] = await Promise.all([installation('writable'), installation('read-only')])
  // No folder can be created below a file, not even by root.
  await writeFile(join(readOnly, 'node_modules', '.cache'), '')
  const cacheOf = async (root: string, env: Readonly<Record<string, string>>) => {
    const { PATH = '' } = process.env
    const { stdout, stderr } = await promisify(execFile)(join(root, 'cli', 'havn'), [], { env: { PATH, ...env } })
    return [stdout, stderr]
  }
  const inInstallation = `${writable}/cli/../node_modules/.cache/compiled\n`
  expect(await cacheOf(writable, { HOME: '/home/kari' })).toEqual([inInstallation, ''])
  expect(await cacheOf(writable, { HOME: '/home/kari' })).toEqual([inInstallation, ''])
  expect(await cacheOf(readOnly, { HOME: '/home/kari' })).toEqual(['/home/kari/.cache/havn/compiled\n', ''])
  expect(await cacheOf(readOnly, { XDG_CACHE_HOME: '/cache' })).toEqual(['/cache/havn/compiled\n', ''])
  expect(await cacheOf(writable, { NODE_COMPILE_CACHE: '/own' })).toEqual(['/own\n', ''])
  await rm(folder, { recursive: true })
})
