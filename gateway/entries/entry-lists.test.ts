/** Tests lists of entries: those of some days match our payments one to one, and one that outlasts its token continues. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AccountEntry } from '../../contract/account-entries.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import type { EntryPages } from './entry.ts'
import { readEntries } from './read-entries.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('some days with payments of ours', () => {
  const BANK = nordicBank('FJORNO22')
  /** Two a day, which are executed by the next morning. Two have the same amount and creditor. */
  const AMOUNTS = ['1250.00', '99.90', '99.90', '0.01']
  const DAYS = AMOUNTS.length / 2

  const paid: string[] = []
  let entries: readonly AccountEntry[]
  beforeAll(async () => {
    const payer = openPaymentDriver(gateway)
    const first = await payer.nextMorning()
    for (const [n, amount] of AMOUNTS.entries()) {
      const { paymentId } = await payer.order(BANK, {
        amount: { amount, currency: BANK.currency },
        dueDate: first.add({ days: Math.floor(n / 2) }).toString(),
        remittanceInformation: { type: 'message', value: `Invoice ${n}` },
      })
      await payer.sign(BANK, paymentId)
      paid.push(paymentId)
    }
    // Other payments from the account look much like ours; identical ones would leave both ambiguous.
    const alike = {
      amount: '-1250.00',
      counterparty: BANK.supplierName,
      counterpartyAccount: BANK.supplier,
      message: 'Invoice 0',
    }
    const others = [
      { ...alike, counterpartyAccount: '80503000028' },
      { ...alike, message: 'Rent' },
      { ...alike, amount: '1250.00' },
      { ...alike, amount: '-1249.99' },
    ]
    for (const entry of others) {
      await openSandboxBankControl(gateway.bank).postControl(`/accounts/${BANK.main}/entries`, entry)
    }
    for (let day = 0; day < DAYS; day += 1) {
      await passTime(gateway, 'PT24H')
    }
    const consented = await payer.consentOf(BANK)
    const { accounts } = await gateway.client.listAccounts(consented)
    const params = { accountId: accounts.find(({ bban }) => bban === BANK.main)?.id ?? '' }
    const query = { fromDate: first.toString(), toDate: first.add({ days: DAYS }).toString() }
    entries = (await gateway.client.listAccountEntries({ ...consented, params, query })).accountEntries
  }, 600_000)

  test('have one entry for each of these, with its amount', async () => {
    const ours = entries.filter(({ paymentId }) => paymentId !== undefined)
    expect(ours.map(({ paymentId }) => paymentId ?? '').toSorted()).toEqual(paid.toSorted())
    for (const [n, id] of paid.entries()) {
      expect((await gateway.client.getPaymentStatus({ params: { paymentId: id } })).status).toBe('Completed')
      const entry = ours.find(({ paymentId }) => paymentId === id)
      expect(entry?.postedAmount.amount).toBe(Number(AMOUNTS[n]))
      expect(entry?.remittanceInformation.unstructured).toContain(`Invoice ${n}`)
    }
  })

  test('have others, which are matched to none', () => {
    const others = entries.filter(({ paymentId }) => paymentId === undefined)
    expect(others.map(({ type, postedAmount }) => `${type} ${postedAmount.amount}`).toSorted()).toEqual(
      expect.arrayContaining(['CREDIT 1250', 'DEBIT 1249.99', 'DEBIT 1250', 'DEBIT 1250']),
    )
  })
})

describe('outlasting its access token', () => {
  /** Nothing is returned here without a token; some hundred entries are several pages. */
  const BANK = nordicBank('ELVANO22')
  const ENTRIES = 400

  let consented: Awaited<ReturnType<ReturnType<typeof openPaymentDriver>['consentOf']>>
  let days: { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }
  beforeAll(async () => {
    await openSandboxBankControl(gateway.bank).postControl(`/accounts/${BANK.main}/entries/generate`, {
      count: ENTRIES,
      days: 30,
    })
    const to = gateway.context.clock.today('Europe/Oslo')
    days = { from: to.subtract({ days: 30 }), to }
  }, 120_000)
  beforeEach(async () => {
    consented = await openPaymentDriver(gateway).consentOf(BANK)
  })

  const query = async (text: string, ...values: unknown[]) =>
    (await gateway.context.database.pool.query(text, values)).rows
  const statusOf = async () => (await gateway.client.getConsent(consented)).status
  const pagesRead = () => gateway.logLines().filter((line) => line.includes('"operation":"getTransactions"')).length

  /** The entries of the main account, of which only the first page has been read. */
  async function begun() {
    const { accounts } = await gateway.client.listAccounts(consented)
    const accountId = accounts.find(({ bban }) => bban === BANK.main)?.id ?? ''
    const [{ partner_id: partnerId }] = await query(
      'select partner_id from consents where id = $1',
      consented.consentId,
    )
    const consent = await consentOf(gateway.context, { partnerId, consentId: consented.consentId })
    if (consent === undefined) {
      throw new Error('There is no consent')
    }
    const partner = { partnerId, clientId: 'demo-partner', partnerName: 'Demo', callbackOrigins: [] }
    const caller = { ...partner, consent, psu: { ipAddress: '203.0.113.7', userAgent: 'Test', headers: {} } }
    const { pages } = await readEntries(gateway.context, caller, { accountId, days, extended: false })
    const reading = pages[Symbol.asyncIterator]()
    const first = await reading.next()
    return { count: first.done === true ? 0 : first.value.length, rest: { [Symbol.asyncIterator]: () => reading } }
  }

  async function countOf(pages: EntryPages): Promise<number> {
    return (await Array.fromAsync(pages)).flat().length
  }

  /** The bank accepts none of the access tokens that it has issued. */
  async function tokensExpireAtBank(): Promise<void> {
    await query(`update sandbox_bank.oauth_tokens set expires_at = '2026-01-01' where kind = 'access'`)
  }

  describe('between two pages', () => {
    test('expired tokens are refreshed, and the consent stays accepted', async () => {
      const { count, rest } = await begun()
      await tokensExpireAtBank()
      await query(`update bank_tokens set expires_at = '2026-01-01', lease_until = null`)
      expect(count + (await countOf(rest))).toBeGreaterThanOrEqual(ENTRIES)
      expect(count).toBeLessThan(ENTRIES)
      expect(await statusOf()).toBe('ACCEPTED')
    })

    test('a revoked consent ends the stream before the bank is called again', async () => {
      const { rest } = await begun()
      await gateway.client.revokeConsent(consented)
      const before = pagesRead()
      await expect(countOf(rest)).rejects.toMatchObject({ reasonCode: 'INVALID_CONSENT' })
      expect(pagesRead()).toBe(before)
    })
  })
})
