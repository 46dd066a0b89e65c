/** Tests which seed a run of all tests uses. */
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { chooseSeed } from './run-steps.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SEED = /^[0-9]{1,9}$/

it('is the given one', () => {
  expect(chooseSeed({ HAVN_SEED: '-7', CI: 'true' }, ROOT)).toBe('-7')
})

it('is a random one each time, on a developer’s machine', () => {
  const seeds = new Set(Array.from({ length: 20 }, () => chooseSeed({}, ROOT)))
  expect(seeds.size).toBeGreaterThan(15)
  expect([...seeds].every((seed) => SEED.test(seed))).toBe(true)
})

it('is the commit’s own in CI', () => {
  expect(chooseSeed({ CI: 'true' }, ROOT)).toMatch(SEED)
  expect(chooseSeed({ CI: 'true' }, ROOT)).toBe(chooseSeed({ CI: 'true' }, ROOT))
})

it('is a random one in CI where there is no commit', () => {
  expect(chooseSeed({ CI: 'true' }, tmpdir())).toMatch(SEED)
})
