/** Shows how bulks are built for each bank that accepts them, and parsed. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMoney } from '../../../../platform/money.ts'
import type { BulkOrder } from '../../../connector/bank-order.ts'
import { sandboxBank, sandboxBulk } from '../../../testing/sandbox-samples.ts'
import { bulkBody, toBulkShownByBank } from './bulk-payments.ts'
import { parseBulkDetails } from './translate-bulk.ts'

const DAY = Temporal.PlainDate.from('2026-12-01')
const PLACE = { xs2aUrl: 'http://127.0.0.1:8083', pagesUrl: 'http://127.0.0.1:8081' }
const fjell = sandboxBank('FJELNO22', PLACE)
const vestkyst = sandboxBank('VSKYNO22', PLACE)
const placed = { bankPaymentId: 'b1', rail: 'account', debtorBban: '80511100017', creditorBban: 'digest' } as const

describe('a bulk', () => {
  test('has debtor and date once, and the rest for each payment', async () => {
    const bulk = sandboxBulk(vestkyst, DAY, 3_125_000n)
    expect(JSON.parse(await bulkBody(bulk, vestkyst.profile))).toEqual({
      batchBookingPreferred: true,
      debtorAccount: { bban: bulk.debtor.bban },
      paymentInformationId: 'bulk-3125000',
      requestedExecutionDate: '2026-12-01',
      payments: ['31250.00', '31250.01', '31250.02'].map((amount, index) => ({
        endToEndIdentification: `invoice-312500${index}`,
        instructedAmount: { currency: 'NOK', amount },
        creditorAccount: { bban: supplierOf(bulk) },
        creditorName: 'Leverandor',
        remittanceInformationUnstructured: 'Faktura 4711',
        purposeCode: 'SALA',
      })),
    })
  })

  test('omits what the bank has no field for, and batch booking where it is ignored', async () => {
    const body = JSON.parse(await bulkBody(sandboxBulk(fjell, DAY, 3_125_000n), fjell.profile))
    expect(JSON.stringify(body)).not.toContain('endToEndIdentification')
    const deaf = { ...fjell.profile, payroll: { ...BULK, batchBooking: false } }
    expect(JSON.parse(await bulkBody(sandboxBulk(fjell, DAY, 3_125_000n), deaf))).not.toHaveProperty(
      'batchBookingPreferred',
    )
    const unwished = { ...sandboxBulk(fjell, DAY, 3_125_000n), batchBooking: false }
    expect(JSON.parse(await bulkBody(unwished, fjell.profile))).toMatchObject({ batchBookingPreferred: false })
  })

  test('has exactly the ordered payments, to the øre and in their order, and is parsed back as such', async () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 2_500_000_000n }), { minLength: 1, maxLength: 1_200 })
    await fc.assert(
      fc.asyncProperty(amounts, async (minors) => {
        const bulk = sandboxBulk(vestkyst, DAY, 1n)
        const [first] = bulk.payments
        const payments = minors.flatMap((minor) => (first ? [{ ...first, amount: { minor, currency: 'NOK' } }] : []))
        const sent = parseBulkDetails(await bulkBody({ ...bulk, payments }, vestkyst.profile))
        expect(sent?.payments?.map(minorOf)).toEqual(minors)
        const held = toBulkShownByBank(sent ?? {}, { ...placed, debtorBban: bulk.debtor.bban }, 'NO')
        const minor = minors.reduce((sum, one) => sum + one, 0n)
        expect(held).toMatchObject({ debtorBban: bulk.debtor.bban, amount: { minor, currency: 'NOK' } })
        expect(held.bulk).toEqual({ bulkId: bulk.bulkId, count: minors.length })
      }),
      { numRuns: 30 },
    )
  })

  test('has our id only where the dialect permits it', async () => {
    const aurajoki = sandboxBank('AURAFIHH', PLACE)
    const body = JSON.parse(await bulkBody(sandboxBulk(aurajoki, DAY, 3_125_000n), aurajoki.profile))
    expect(body).toMatchObject({ debtorAccount: { iban: expect.any(String) } })
    expect(body).not.toHaveProperty('paymentInformationId')
  })

  test('whose sum the bank does not show has none', () => {
    const paid = (currency: string, amount = '1.00') => ({ instructedAmount: { currency, amount } })
    expect(toBulkShownByBank({ payments: [paid('NOK'), {}] }, placed, 'NO').amount).toBeNull()
    expect(toBulkShownByBank({ payments: [{}, paid('NOK')] }, placed, 'NO').amount).toBeNull()
    expect(toBulkShownByBank({ payments: [paid('NOK'), paid('SEK')] }, placed, 'NO').amount).toBeNull()
    expect(
      toBulkShownByBank({ payments: [paid('NOK'), paid('NOK', 'much'), paid('NOK')] }, placed, 'NO').amount,
    ).toBeNull()
    expect(toBulkShownByBank({}, placed, 'NO')).toEqual({
      ...{ debtorBban: null, creditorBban: null, amount: null },
      bulk: { bulkId: null, count: null },
    })
  })
})

const BULK = { submissionMode: 'bulk', batchBooking: true, elements: 'listed', inBaskets: false } as const

function supplierOf({ payments: [first] }: BulkOrder): string {
  return first?.creditor.account.type === 'account' ? first.creditor.account.bban : ''
}

function minorOf({ instructedAmount: shown }: { instructedAmount?: { amount: string; currency: string } }) {
  return shown && parseMoney(shown.amount, shown.currency)?.minor
}
