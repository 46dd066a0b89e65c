/** Tests the regulatory reporting of payments in a currency without a reference rate, as in production. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { nordicBanks } from '../../testing/banks/nordic-banks.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { contextOf } from '../../testing/gateway/test-context.ts'
import { crossBorderPayment } from '../../testing/payments/sample-cross-border-payments.ts'
import { parseCrossBorderParts } from './cross-border-parts.ts'
import { validateRegulatoryReporting } from './exchange-validation.ts'

const clock = { today: () => Temporal.PlainDate.from('2026-10-11') }
const [bank] = nordicBanks

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

async function paths(currency: string, reported: Partial<ReturnType<typeof crossBorderPayment>>): Promise<string[]> {
  const { connectionString } = fresh
  const database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 1 })
  const context = contextOf({ database, clock, config: { mode: 'production' } })
  const from = { bban: '1', currency: 'NOK' }
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
})
