/** Tests the entries on accounts: which days, fields and formats, and which requests about them are rejected. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { countSideEffects, sendRawRequest, UNKNOWN_ID, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, MAIN_ACCOUNT, OLA, PSU } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
let consentId: string
let accountId: string
let headers: Record<string, string>
let today: Temporal.PlainDate
/** An account of another partner. */
let theirs: string
beforeAll(async () => {
  gateway = await startTestGateway()
  consentId = (await acceptedConsent(gateway)).consentId
  headers = await validHeaders(gateway, consentId)
  accountId = await accountOf(consentId)
  today = gateway.context.clock.today('Europe/Oslo')
  const other = await gateway.otherPartner()
  theirs = (await other.client.listAccounts(await acceptedConsent(other, OLA))).accounts[0]?.id ?? ''
})
afterAll(() => gateway.close())

async function accountOf(consent: string): Promise<string> {
  const { accounts } = await gateway.client.listAccounts({ consentId: consent, psu: PSU })
  return accounts.find(({ bban }) => bban === MAIN_ACCOUNT)?.id ?? ''
}

const daysAgo = (days: number) => today.subtract({ days }).toString()
const entriesBetween = async (fromDate: string, toDate: string) => {
  const call = { consentId, psu: PSU, params: { accountId }, query: { fromDate, toDate } }
  return (await gateway.client.listAccountEntries(call)).accountEntries
}
const path = (id: string, behind = '', query: string | null = `fromDate=${daysAgo(30)}&toDate=${daysAgo(0)}`) =>
  `/api/v2/accounts/${id}/entries${behind}${query === null ? '' : `?${query}`}`
const get = (where: string, changes: Record<string, string | undefined> = {}) =>
  sendRawRequest(gateway, ['GET', where], { headers: { ...headers, ...changes } })

/** Books something on the main account on the bank's day. */
async function book(amount: string, more: object = {}) {
  await openSandboxBankControl(gateway.bank).postControl(`/accounts/${MAIN_ACCOUNT}/entries`, {
    amount,
    counterparty: 'Kafé Kaia AS',
    ...more,
  })
}

describe('the list', () => {
  test('has what came in and what left, from the company’s side', async () => {
    await book('12.34', { message: 'Faktura 1' })
    await book('-5.60', { reference: '01290865' })
    const booked = {
      status: 'BOOKED',
      bookingDateTime: `${today}T00:00:00.000Z`,
      enriched: false,
    }
    const company = { name: 'Nordlys Handel AS', bban: MAIN_ACCOUNT, iban: 'NO9680501100017' }
    const entries = await entriesBetween(daysAgo(0), daysAgo(0))
    expect(entries.slice(0, 2)).toEqual([
      expect.objectContaining({
        ...booked,
        type: 'DEBIT',
        postedAmount: { amount: 5.6, currency: 'NOK' },
        debtor: company,
        creditor: { name: 'Kafé Kaia AS' },
        remittanceInformation: {
          reference: '01290865',
          references: [{ reference: '01290865', type: expect.any(String) }],
        },
      }),
      expect.objectContaining({
        ...booked,
        type: 'CREDIT',
        postedAmount: { amount: 12.34, currency: 'NOK' },
        creditor: company,
        debtor: { name: 'Kafé Kaia AS' },
        remittanceInformation: { unstructured: 'Faktura 1' },
      }),
    ])
  })

  test('includes both days and what lies between them, and nothing else', async () => {
    const all = await entriesBetween(daysAgo(60), daysAgo(0))
    const dayOf = (entry: (typeof all)[number]) => entry.bookingDateTime?.slice(0, 10) ?? ''
    const days = [...new Set(all.map(dayOf))].toSorted()
    expect(days.length).toBeGreaterThan(4)
    const [, from = '', , to = ''] = days
    const expected = all.filter((entry) => dayOf(entry) >= from && dayOf(entry) <= to)
    const some = await entriesBetween(from, to)
    expect(some.map(({ transactionId }) => transactionId)).toEqual(expected.map(({ transactionId }) => transactionId))
    expect([...new Set(some.map(dayOf))].toSorted()).toEqual(days.slice(1, 4))
  })

  test('is empty where nothing was booked', async () => {
    expect(await entriesBetween(daysAgo(300), daysAgo(299))).toEqual([])
  })

  test('is available as CSV and as a camt.053 statement, with the same entries', async () => {
    const entries = await entriesBetween(daysAgo(30), daysAgo(0))
    const csv = await gateway.fetch(path(accountId), { headers: { ...headers, accept: 'text/csv' } })
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('vary')).toBe('accept')
    expect(
      (await csv.text())
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual(entries.map(({ transactionId }) => transactionId))
    const camt = await gateway.fetch(path(accountId), {
      headers: { ...headers, accept: 'application/xml, text/csv;q=0.5' },
    })
    expect(camt.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const text = await camt.text()
    expect([...text.matchAll(/<NtryRef>(.*?)<\/NtryRef>/g)].map(([, id]) => id)).toEqual(
      entries.map(({ stableEntryId }) => stableEntryId),
    )
    expect(text).toMatch(/<Bal><Tp><CdOrPrtry><Cd>ITBD<.*<Cd>ITAV<.*<\/Document>$/)
  })

  test('is returned by the client in either format as a stream', async () => {
    const call = { consentId, psu: PSU, params: { accountId }, query: { fromDate: daysAgo(30), toDate: daysAgo(0) } }
    const text = await new Response(await gateway.client.listAccountEntries({ ...call, accept: 'text/csv' })).text()
    expect(text).toMatch(/^transactionId,stableEntryId,/)
    const statement = await gateway.client.listExtendedAccountEntries({ ...call, accept: 'application/xml' })
    expect(await new Response(statement).text()).toMatch(/^<\?xml/)
  })

  test.each(['', '/extended'])('%s is rejected with 406 in any other format', async (behind) => {
    const rejected = await get(path(accountId, behind), { accept: 'application/pdf' })
    expect(rejected).toMatchObject({ status: 406, body: { message: expect.stringContaining('text/csv') } })
  })
})

describe('the days', () => {
  test('that make no period are rejected with 422 InvalidRequest, and the bank is not called', async () => {
    const seen = await countSideEffects(gateway)
    const rows = [
      ['no fromDate', 'toDate=2026-01-01', '.fromDate'],
      ['no toDate', 'fromDate=2026-01-01', '.toDate'],
      ['an instant', 'fromDate=2026-01-01T00:00:00Z&toDate=2026-01-02', '.fromDate'],
      ['30 February', 'fromDate=2026-02-30&toDate=2026-03-02', '.fromDate'],
      ['a range that ends before it begins', 'fromDate=2026-01-02&toDate=2026-01-01', '.fromDate'],
      ['a range longer than the bank’s limit', 'fromDate=2025-01-01&toDate=2026-01-02', '.toDate'],
      ['one day twice', 'fromDate=2026-01-01&fromDate=2026-01-01&toDate=2026-01-01', '.fromDate'],
    ] as const
    for (const [row, query, where] of rows) {
      for (const behind of ['', '/extended']) {
        const rejected = await get(path(accountId, behind, query))
        expect(rejected, `${row} ${behind}`).toMatchObject({
          status: 422,
          body: [{ code: 'InvalidRequest', path: where }],
        })
      }
    }
    expect(await countSideEffects(gateway)).toEqual(seen)
  })

  test('may be a whole year, including the same day of the next year', async () => {
    expect(await entriesBetween(today.subtract({ months: 12 }).toString(), daysAgo(0))).not.toEqual([])
  })

  test('that the bank does not go back to are rejected before a response has begun', async () => {
    const from = today.subtract({ years: 4 })
    const rejected = await get(path(accountId, '', `fromDate=${from}&toDate=${from.add({ days: 1 })}`))
    expect(rejected.status).toBeGreaterThanOrEqual(400)
    expect(rejected.body).toMatchObject(
      rejected.status === 422 ? [{ code: 'InvalidRequest' }] : { message: expect.any(String) },
    )
  })
})

describe.each(['', '/extended', '/some-transaction/details'])('…/entries%s', (behind) => {
  const query = behind.endsWith('details') ? null : undefined

  test('of an id that is none, or unknown: INVALID_ACCOUNT, and the bank is not called', async () => {
    const seen = await countSideEffects(gateway)
    for (const id of ['not-an-id', MAIN_ACCOUNT, UNKNOWN_ID, '', '%00']) {
      const rejected = await get(path(id, behind, query))
      expect(rejected, `of “${id}”`).toMatchObject({ status: 400, body: { failure: 'INVALID_ACCOUNT' } })
    }
    expect(await countSideEffects(gateway)).toEqual(seen)
  })

  test('of another partner’s account: INVALID_ACCOUNT, as for an unknown account', async () => {
    const [one, nobodys] = [await get(path(theirs, behind, query)), await get(path(UNKNOWN_ID, behind, query))]
    expect(one).toMatchObject({ status: 400, body: { failure: 'INVALID_ACCOUNT' } })
    expect({ ...Object(one.body), svcRequestId: '' }).toEqual({ ...Object(nobodys.body), svcRequestId: '' })
  })

  test('of a company without a subscription: 403 with the code and the request id only', async () => {
    const set = (active: boolean) =>
      gateway.context.database.pool.query('update companies set active_subscription = $1', [active])
    await set(false)
    const rejected = await get(path(accountId, behind, query))
    await set(true)
    const svcRequestId = rejected.headers.get('svc-request-id')
    expect(rejected).toMatchObject({ status: 403 })
    expect(rejected.body).toMatchObject({ failure: 'INACTIVE_SUBSCRIPTION', svcRequestId })
  })
})

describe('the details of an entry', () => {
  test('are reported by its transaction id, with the same ids as in the list', async () => {
    const [entry] = await entriesBetween(daysAgo(30), daysAgo(0))
    const call = { consentId, psu: PSU, params: { accountId, transactionId: entry?.transactionId ?? '' } }
    expect(await gateway.client.getAccountEntryDetails(call)).toEqual({ ...entry, enriched: true })
  })

  test('of an unknown entry: 404', async () => {
    for (const id of [UNKNOWN_ID, 'nothing', '%2e%2e%2fbalances', '%5B'.repeat(200)]) {
      expect(await get(path(accountId, `/${id}/details`, null))).toMatchObject({ status: 404 })
    }
  })
})

describe('the details of an entry whose id the bank', () => {
  test.each([
    [404, 'RESOURCE_UNKNOWN'],
    [403, 'RESOURCE_UNKNOWN'],
    [400, 'RESOURCE_UNKNOWN'],
    [400, 'FORMAT_ERROR'],
  ])('answers with %i %s: 404', async (status, code) => {
    const bank = openSandboxBankControl(gateway.bank)
    await bank.injectFault({ operation: 'getTransactionDetails', effect: 'status', status, code, times: 1 })
    const answer = await get(path(accountId, '/x/details', null))
    await bank.clearFaults()
    expect(answer).toMatchObject({ status: 404 })
  })
})

describe('without the user', () => {
  const absent = { 'psu-ip-address': undefined, 'psu-user-agent': undefined }
  /** Nothing has been read that day, by our count and by the bank's. */
  beforeEach(async () => {
    await gateway.context.database.pool.query('delete from unattended_reads; delete from sandbox_bank.consent_reads')
  })

  test('entries are returned four times a day: 429 with Retry-After after that; with the user they are returned', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await get(path(accountId), absent)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200])
    const fifth = await get(path(accountId), absent)
    expect(fifth.status).toBe(429)
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await get(path(accountId))).toMatchObject({ status: 200 })
  })

  test('no more entries are enriched than the bank permits in a day', async () => {
    const { body } = await get(path(accountId, '/extended'), absent)
    const { accountEntries } = Object(body)
    expect(accountEntries.filter(({ enriched }: { enriched: boolean }) => enriched)).toHaveLength(4)
    expect(accountEntries.length).toBeGreaterThan(4)
  })
})
