/** Property tests of payroll contents: ranges of transactions open as ordered, digests are equal for equal orders. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import { createSeal, generateMasterKeyLine, parseMasterKeys } from '../../platform/crypto/envelope-encryption.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { contextOf } from '../../testing/gateway/test-context.ts'
import { contentDigest, type PayrollContents, TRANSACTIONS_PER_CHUNK } from '../payroll-order.ts'
import { insertPayrollContents, readPayrollContents, sealPayrollContents } from './payroll-contents.ts'

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
  const slices = await sealPayrollContents(contextOf({ seal }), key, contents)
  const endToEndIds = payouts.map(({ metadata }) => metadata.endToEndId)
  await insertPayrollContents(database, key, { slices, endToEndIds })
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

test('equal orders have equal digests, and any change changes the digest', async () => {
  const digest = await contentDigest(digestOf, contents)
  expect(await contentDigest(digestOf, structuredClone(contents))).toBe(digest)
  const changes: Partial<PayrollTransactionRequest>[] = [
    { metadata: { endToEndId: 'SAL-other' } },
    { name: 'Another debtor' },
    { account: { bban: '80501200038' } },
    { amount: { amount: '7.51', currency: 'NOK' } },
    { amount: { amount: '7.50', currency: 'SEK' } },
    { remittanceInformation: { type: 'ocr', value: 'Salary 7' } },
  ]
  const digests = await Promise.all(
    changes.map((change) =>
      contentDigest(digestOf, { ...contents, transactions: payouts.with(7, { ...payout(7), ...change }) }),
    ),
  )
  const from = { ...contents.from, account: { bban: '80501100025' } }
  const all = [digest, ...digests, await contentDigest(digestOf, { ...contents, from })]
  expect(new Set(all).size).toBe(all.length)
})
