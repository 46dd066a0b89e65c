/** Property tests of payroll contents: ranges of transactions open as ordered, digests are equal for equal orders. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import { createSeal, generateMasterKeyLine, parseMasterKeys } from '../../platform/crypto/envelope-encryption.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { contextOf } from '../../testing/gateway/test-context.ts'
import { buildSingleOrders } from '../parse/payroll-orders.ts'
import { contentDigest, type PayrollContents, TRANSACTIONS_PER_CHUNK } from '../payroll-order.ts'
import { insertPayrollContents, readPayrollContents, sealPayrollContents } from './payroll-store.ts'

const digestOf = async (text: string, purpose: string) => `${purpose}\n${text}`
const PAYOUTS = 2 * TRANSACTIONS_PER_CHUNK + 1
const seal = createSeal(parseMasterKeys(generateMasterKeyLine('test')))
const key = { partnerId: newId(), payrollId: newId() }
const payouts = Array.from({ length: PAYOUTS }, (_none, n) => payout(n))
const contents: PayrollContents = {
  from: { account: { bban: '80501100017' }, name: 'Nordlys' },
  purposeCode: 'SALA',
  transactions: payouts,
}

function payout(n: number): PayrollTransactionRequest {
  return {
    metadata: { endToEndId: `SAL-${n}` },
    name: `Employee ${n}`,
    account: { bban: '80501200011' },
    amount: { amount: `${n}.50`, currency: 'NOK' },
    remittanceInformation: { type: 'message', value: `Salary ${n}` },
  }
}

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ ...fresh, applicationName: 'test', connectionsMax: 2 })
  await insertPayrollContents(database, key, await sealPayrollContents(contextOf({ seal }), key, contents))
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

test('any range of transactions opens as it was ordered', async () => {
  const runs = fc
    .integer({ min: 0, max: PAYOUTS - 1 })
    .chain((first) => fc.record({ first: fc.constant(first), count: fc.integer({ min: 1, max: PAYOUTS - first }) }))
  await fc.assert(
    fc.asyncProperty(runs, async ({ first, count }) => {
      const { transactions: opened } = await readPayrollContents(contextOf({ database, seal }), key, { first, count })
      expect(opened).toEqual(payouts.slice(first, first + count))
    }),
    { numRuns: 30 },
  )
})

test('a range beyond the last transaction is an error, and so is the payroll of another partner', async () => {
  const context = contextOf({ database, seal })
  await expect(readPayrollContents(context, key, { first: PAYOUTS - 1, count: 2 })).rejects.toThrow('does not hold')
  const foreign = { ...key, partnerId: newId() }
  await expect(readPayrollContents(context, foreign, { first: 0, count: 1 })).rejects.toThrow('does not hold')
})

test('orders have equal digests if endToEndId, receiver and amount of each transaction are equal, however they are written', async () => {
  const terms = {
    countryCode: 'NO',
    currency: 'NOK',
    dueDate: Temporal.PlainDate.from('2026-01-02'),
    listed: undefined,
  }
  const digestWith = async (changes: Partial<PayrollTransactionRequest>) => {
    const transactions = payouts.with(7, { ...payout(7), ...changes })
    return await contentDigest(digestOf, await buildSingleOrders({ ...contents, transactions }, terms))
  }
  const digest = await digestWith({})
  for (const same of [
    { account: { bban: '8050.12.00011' } },
    { amount: { currency: 'NOK', amount: '7.5' } },
    { name: 'Another name', remittanceInformation: { type: 'message', value: 'Another text' } as const },
  ]) {
    expect(await digestWith(same), JSON.stringify(same)).toBe(digest)
  }
  const digests = await Promise.all(
    [
      { metadata: { endToEndId: 'SAL-other' } },
      { account: { bban: '80501200038' } },
      { amount: { amount: '7.51', currency: 'NOK' } },
      { amount: { amount: '7.50', currency: 'SEK' } },
    ].map(digestWith),
  )
  const all = [digest, ...digests]
  expect(new Set(all).size).toBe(all.length)
})
