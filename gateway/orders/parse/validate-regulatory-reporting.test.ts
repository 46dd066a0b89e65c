/** Tests the regulatory reporting of payments in a currency without a current reference rate, as in production. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { nordicBanks } from '../../testing/banks/nordic-banks.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { contextOf } from '../../testing/gateway/test-context.ts'
import { crossBorderPayment } from '../../testing/payments/sample-cross-border-payments.ts'
import { parseCrossBorderParts } from './cross-border-parts.ts'
import { validateRegulatoryReporting } from './exchange-validation.ts'

/** A day on which the rates of the release are current, and one on which they are outdated. */
const [CURRENT, OUTDATED] = ['2026-10-11', '2027-10-11'] as const
const [bank] = nordicBanks

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

async function paths(
  currency: string,
  reported: Partial<ReturnType<typeof crossBorderPayment>>,
  { day = CURRENT, held = 'NOK' }: { readonly day?: string; readonly held?: string } = {},
): Promise<string[]> {
  const { connectionString } = fresh
  const database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 1 })
  const clock = { today: () => Temporal.PlainDate.from(day) }
  const context = contextOf({ database, clock, config: { mode: 'production' } })
  const from = { bban: '1', currency: held }
  const ordered = crossBorderPayment({ context }, bank ?? expect.fail('There is no bank'), from, {
    amount: { amount: '10.00', currency },
    ...reported,
  })
  const parts = parseCrossBorderParts(ordered, 'NO', () => true)
  try {
    return (await validateRegulatoryReporting(context, parts, 'NO')).map(({ path }) => path)
  } finally {
    await database.close()
  }
}

describe('a payment from Norway', () => {
  test('in a currency with a rate is not reported below the threshold', async () => {
    expect(await paths('USD', {})).toEqual([])
  })

  test('in a currency without one counts as above it, and is accepted when it is reported', async () => {
    expect(await paths('AED', {})).toEqual(['.regulatoryReporting'])
    expect(await paths('AED', { regulatoryReporting: { code: '14', information: 'Goods' } })).toEqual([])
  })

  test('counts as above it when rates are outdated, without exchange; an exchange is closed then', async () => {
    const reported = { regulatoryReporting: { code: '14', information: 'Goods' } }
    expect(await paths('USD', {}, { day: OUTDATED, held: 'USD' })).toEqual(['.regulatoryReporting'])
    expect(await paths('USD', reported, { day: OUTDATED, held: 'USD' })).toEqual([])
    await expect(paths('USD', reported, { day: OUTDATED })).rejects.toMatchObject({ reasonCode: 'SERVICE_CLOSED' })
    // The currency of the threshold needs no rate.
    expect(await paths('NOK', {}, { day: OUTDATED, held: 'EUR' })).toEqual([])
  })
})
