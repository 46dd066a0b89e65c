/** Tests that the id of a token key can be typed as it is. */
import { expect, it } from 'vitest'
import { newTokenKey } from './token-key.ts'

/** One thumbprint of 64 begins with a hyphen: the chance that none of so many does is one in ten million. */
const KEYS = 1_000

it('has an id that a command line cannot mistake for an option', async () => {
  const keys = await Promise.all(Array.from({ length: KEYS }, newTokenKey))
  expect(keys.map(({ kid }) => kid).filter((kid) => !/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/.test(kid))).toEqual([])
})
