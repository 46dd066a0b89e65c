/** Tests that an entry that is read alone matches a payment only by the endToEndId of that payment. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BankEntry } from '../../banks/connector/bank-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import { bankEntry, sampleAccount } from '../../entries/testing/entry-samples.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { entryPaymentFinder } from './entry-payment-finder.ts'

const OWN = 'INV-4711'

let gateway: TestGateway
let caller: Pick<ConsentCaller, 'consent'>
let paymentId: string
let fitting: BankEntry
beforeAll(async () => {
  gateway = await startTestGateway()
  const consented = await acceptedConsent(gateway)
  const body = { ...domesticPayment(gateway), metadata: { endToEndId: OWN } }
  paymentId = (await gateway.client.initiateDomesticPayment({ ...consented, body })).paymentId
  const { pool } = gateway.context.database
  const { rows } = await pool.query('select partner_id from consents where id = $1', [consented.consentId])
  const key = { partnerId: rows[0].partner_id, consentId: consented.consentId }
  caller = { consent: (await consentOf(gateway.context, key)) ?? expect.fail('There is no consent') }
  const { rows: stored } = await pool.query(
    'select amount_minor::text as minor, creditor_bban, due_date::text as due from payments where id = $1',
    [paymentId],
  )
  const day = Temporal.PlainDate.from(stored[0].due)
  fitting = bankEntry({
    amount: { minor: -BigInt(stored[0].minor), currency: 'NOK' },
    bookedOn: day,
    valueOn: day,
    counterpartyBban: stored[0].creditor_bban,
  })
})
afterAll(() => gateway.close())

/** Returns the payment found at Fjordbanken, which accepts no endToEndIds: the ids of its entries are its own. */
async function found(
  entry: BankEntry,
  how: 'listed' | 'certain',
  context = gateway.context,
): Promise<string | undefined> {
  const bank = (await gateway.context.banks.find('FJORNO22')) ?? expect.fail('There is no bank')
  const find = entryPaymentFinder(context, caller, { bank, account: sampleAccount })
  return (await find([entry], how)).get(entry)
}

describe('an entry that is read alone', () => {
  test('matches the payment whose endToEndId it names', async () => {
    expect(await found({ ...fitting, endToEndId: OWN }, 'certain')).toBe(paymentId)
  })

  test.each([
    ['an unknown id', 'BANK-0001'],
    ['no id', null],
  ])('matches no payment when it names %s, although all other properties agree', async (_what, endToEndId) => {
    expect(await found({ ...fitting, endToEndId }, 'certain')).toBeUndefined()
    expect(await found({ ...fitting, endToEndId }, 'listed')).toBe(paymentId)
  })
})

describe('an entry on an account from which a payroll is paid', () => {
  const order = newId()
  const day = () => fitting.bookedOn ?? expect.fail('The entry has no day')
  beforeAll(async () => {
    await gateway.context.database.pool.query(
      `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', $2::uuid, 'type', 'Payroll',
         'payroll_id', $2::uuid, 'bank_payment_id', $2::text, 'amount_minor', 0, 'creditor_bban', 'digest', 'due_date', $3::date))).*
       from payments p where id = $1`,
      [paymentId, order, day().toString()],
    )
  })
  afterAll(async () => {
    await gateway.context.database.pool.query('delete from payments where id = $1', [order])
  })

  test.each([0, 5])(
    '%i days after its due date matches the payment that it names, and none when it names none',
    async (n) => {
      const entry = { ...fitting, bookedOn: day().add({ days: n }) }
      expect(await found({ ...entry, endToEndId: null }, 'listed')).toBeUndefined()
      expect(await found({ ...entry, endToEndId: OWN }, 'listed')).toBe(paymentId)
    },
  )

  test('on its last possible day matches none either at a server of another time zone', async () => {
    const url = new URL(gateway.connectionString)
    url.searchParams.set('options', '-c TimeZone=Europe/Oslo')
    const database = openDatabase({ connectionString: url.href, applicationName: 'test', connectionsMax: 1 })
    const entry = { ...fitting, bookedOn: day().add({ days: 5 }), endToEndId: null }
    expect(await found(entry, 'listed', { ...gateway.context, database })).toBeUndefined()
    await database.close()
  })

  test('is matched by all other properties once the bank has rejected the payroll', async () => {
    await gateway.context.database.pool.query(`update payments set status = 'Rejected' where id = $1`, [order])
    expect(await found({ ...fitting, endToEndId: null }, 'listed')).toBe(paymentId)
  })
})
