/** Tests that a release has every file that its programs load, and none of tests, benches and tools. */
import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readSourceFiles } from '../setup/source-files.ts'
import { releasedFiles } from './released-files.ts'

/** The name of a package of npm; Node's own modules begin with `node:`. */
const PACKAGE = /^(@[a-z0-9-]+\/)?[a-z][a-z0-9.-]+$/

const released = new Set(await releasedFiles())
const sources = (await readSourceFiles()).filter(({ path }) => released.has(path))

test('a release has every file and package that its sources import', async () => {
  const missing = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ kind, name, isOfTypes }) => kind === 'file' && !isOfTypes && !released.has(name))
      .map(({ name }) => `${path} imports ${name}`),
  )
  expect(missing).toEqual([])
  const { dependencies } = (await import('../package.json', { with: { type: 'json' } })).default
  const names = sources.flatMap(({ imports }) =>
    imports.filter(({ kind, isOfTypes }) => kind === 'package' && !isOfTypes).map(({ name }) => name),
  )
  const unlisted = new Set(names.filter((name) => PACKAGE.test(name) && !(name in dependencies)))
  expect([...unlisted]).toEqual([])
})

test('a release has every file and folder of the project that its sources read by a path', () => {
  const named = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/new URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)/g)].map(([, name = '']) =>
      posix.join(dirname(path), name),
    ),
  )
  const tracked = named.filter((name) => existsSync(join(ROOT, name)) && !name.startsWith('node_modules/'))
  const has = (name: string) => released.has(name) || [...released].some((file) => file.startsWith(name))
  expect(tracked.filter((name) => !has(name))).toEqual([])
  expect(tracked.length).toBeGreaterThan(10)
})

test('a release has nothing of tests, benches and tools', () => {
  const ofTests = /\.test\.|(^|\/)(testing|journeys|bench|setup|clients|sdk-python|release)\//
  expect([...released].filter((path) => ofTests.test(path))).toEqual([])
  expect(
    sources.flatMap(({ path, imports }) => imports.filter(({ name }) => name === 'vitest').map(() => path)),
  ).toEqual([])
  for (const path of ['LICENSE', 'package-lock.json', 'cli/havn', 'launcher/roles/main.ts', 'sandbox/bank/main.ts']) {
    expect(released).toContain(path)
  }
})
