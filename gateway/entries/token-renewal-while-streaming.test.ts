/** Tests that a list that outlasts its access token continues with a new one, and stops with the consent. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { consentOf } from '../consents/consent-lookup.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import type { EntryPages } from './entry.ts'
import { readEntries } from './read-entries.ts'

/** Nothing is returned here without a token; some hundred entries are several pages. */
const BANK = nordicBank('ELVANO22')
const ENTRIES = 400

let gateway: TestGateway
let consented: Awaited<ReturnType<ReturnType<typeof openPaymentDriver>['consentOf']>>
let days: { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }
beforeAll(async () => {
  gateway = await startTestGateway()
  await openSandboxBankControl(gateway.bank).postControl(`/accounts/${BANK.main}/entries/generate`, {
    count: ENTRIES,
    days: 30,
  })
  const to = gateway.context.clock.today('Europe/Oslo')
  days = { from: to.subtract({ days: 30 }), to }
}, 120_000)
afterAll(() => gateway.close())
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
  const [{ partner_id: partnerId }] = await query('select partner_id from consents where id = $1', consented.consentId)
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
