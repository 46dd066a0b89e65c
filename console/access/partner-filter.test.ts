/** Tests whose data a user sees. */
import { expect, test } from 'vitest'
import { partnerFilterOf, type Viewer } from './viewer.ts'

const viewerOf = (partnerId: string | null) => ({ session: { partnerId } }) as Viewer

test('a partner’s user sees their own partner, whatever they choose; an operator all of them, or the chosen one', () => {
  expect([partnerFilterOf(viewerOf('own')), partnerFilterOf(viewerOf('own'), 'foreign')]).toEqual(['own', 'own'])
  expect([partnerFilterOf(viewerOf(null)), partnerFilterOf(viewerOf(null), 'chosen')]).toEqual([null, 'chosen'])
})
