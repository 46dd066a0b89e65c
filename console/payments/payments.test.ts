/** Tests the lists of payments in the console: filters, pages and CSV, and whose payments a user sees. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import {
  indexedConditions,
  paymentListQuery,
  paymentScanQuery,
  unindexedConditions,
} from '../../gateway/orders/views/payment-search.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { nextPathOf, signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { type StoredPayments, storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { nodesReading } from '../../gateway/testing/database/query-plan.ts'
import { startWebhookGateway, type WebhookGateway } from '../../gateway/testing/webhooks/webhook-gateway.ts'
import type { Viewer } from '../access/viewer.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { paymentFilterOf } from './payment-list.ts'

/** An operator sees the payments of all partners. */
const OPERATOR = { session: { partnerId: null } } as unknown as Viewer
const NO_BREAK_SPACE = '\u00a0'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await webhooks.gateway.context.database.pool.query(text, [...values])).rows

const store = (count: number, changes: StoredPayments = {}) => storePayments(webhooks.gateway, count, changes)

async function open(path: string, role: Parameters<typeof signInAs>[1] = 'partner-finance') {
  const browser = await signInAs(webhooks.gateway, role)
  return await browser.open(path)
}

/** The endToEndIds of a page, in its order. */
const listed = ({ html }: { html: string }) =>
  [...html.matchAll(/<a href="\/console\/payments\/[^"]+">(.*?)<\/a>/g)].map(([, id]) => id)

describe('the list of payments', () => {
  beforeEach(() => sql('delete from payments'))

  it('without payments says when they will appear, and with a filter that none matches', async () => {
    expect(textOf(await open('/console/payments'))).toContain('There are no payments yet')
    expect(textOf(await open('/console/payments?q=INV-1'))).toContain('No payment matches')
  })

  it('shows the newest first, with the amount as readers write it', async () => {
    await store(3)
    const page = await open('/console/payments')
    expect(listed(page)).toEqual(['INV-3', 'INV-2', 'INV-1'])
    expect(page.html).toContain(`1${NO_BREAK_SPACE}250,00${NO_BREAK_SPACE}NOK`)
    expect(textOf(page)).toContain('Granli Trelast AS')
  })

  it('continues on further pages, none of which repeats or leaves out a payment', async () => {
    await store(120)
    const browser = await signInAs(webhooks.gateway, 'operator')
    const seen: (string | undefined)[] = []
    for (let path: string | undefined = '/console/payments?status=Unsigned'; path !== undefined; ) {
      const page = await browser.open(path)
      seen.push(...listed(page))
      path = nextPathOf(page)
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `INV-${120 - n}`))
  })

  it.each([
    ['q=INV-2', ['INV-2']],
    ['status=Completed', ['DONE-1']],
    ['company=987654333', ['OTHER-2', 'OTHER-1']],
    ['from=2026-11-01&to=2026-11-01&status=Completed', ['DONE-1']],
    ['from=2026-11-02', []],
    ['to=2026-10-31', []],
  ])('is filtered by %s', async (query, expected) => {
    await store(2)
    await store(1, { status: 'Completed', prefix: 'DONE' })
    await store(2, { organisationNumber: '987654333', prefix: 'OTHER' })
    expect(listed(await open(`/console/payments?${query}`))).toEqual(expected)
  })

  it('is searched by the end of an account, by an amount and by a currency', async () => {
    await store(2)
    await store(1, { prefix: 'FX' })
    await store(1, { prefix: 'YEN' })
    const ordered = {
      amount: { amount: '90.75', currency: 'EUR' },
      to: { account: { iban: 'fi21 1234 5600 0099 99' } },
    }
    await sql(
      `update payments set type = 'CrossBorder', exchange = 'unsigned', amount_minor = 7700, creditor_bban = '1', debtor_bban = '2',
         ordered = $1 where end_to_end_id = 'FX-1'`,
      [JSON.stringify(ordered)],
    )
    await sql(
      `update payments set currency = 'JPY', debtor_bban = '2', creditor_bban = '1' where end_to_end_id = 'YEN-1'`,
    )
    const rows = [
      ['account=0011', ['INV-2', 'INV-1']],
      ['account=1100017', ['INV-2', 'INV-1']],
      ['account=NO93 8050 1200 011', ['INV-2', 'INV-1']],
      ['account=9999', ['FX-1']],
      ['name=gränli TRE', ['INV-2', 'YEN-1', 'INV-1']],
      ['name=Trelast GmbH', []],
      ['amount=1250', ['INV-2', 'INV-1']],
      ['amount=1 250,00', ['INV-2', 'INV-1']],
      ['amount=1250,01', []],
      ['amount=1000-1250.00&currency=NOK', ['INV-2', 'INV-1']],
      ['amount=1250&currency=EUR', []],
      ['amount=125000', ['YEN-1']],
      ['amount=90,5-91', ['FX-1']],
      ['amount=90,5-91&currency=EUR', ['FX-1']],
      ['amount=77&currency=NOK', ['FX-1']],
      ['currency=JPY', ['YEN-1']],
      ['currency=jpy ', ['YEN-1']],
      ['amount=1250&status=Completed', []],
      ['signed=yes', []],
    ] as const
    const browser = await signInAs(webhooks.gateway, 'partner-finance')
    for (const [query, expected] of rows) {
      expect(listed(await browser.open(`/console/payments?${query}`)), query).toEqual(expected)
    }
  })

  it('is searched a limited number of payments at a time, and goes on where the search ended', async () => {
    await store(10_500)
    await sql(`update payments set debtor_bban = '80501100777' where end_to_end_id in ('INV-3', 'INV-10400')`)
    const browser = await signInAs(webhooks.gateway, 'partner-finance')
    const first = await browser.open('/console/payments?account=0777')
    expect(listed(first)).toEqual(['INV-10400'])
    expect(textOf(first)).toContain('This page went back to')
    const second = await browser.open(nextPathOf(first) ?? '')
    expect([listed(second), nextPathOf(second)]).toEqual([['INV-3'], undefined])
    const csv = await browser.open('/console/payments.csv?account=0777')
    expect(csv.html.match(/INV-\d+/g)).toEqual(['INV-10400', 'INV-3'])
  })

  it('finds a payment by its id', async () => {
    await store(3)
    const [{ id }] = await sql(`select id from payments where end_to_end_id = 'INV-2'`)
    expect(listed(await open(`/console/payments?q=${id.toUpperCase()}`))).toEqual(['INV-2'])
  })

  it.each([
    ['from=2026-02-30', 'Not a date'],
    ['to=yesterday', 'Not a date'],
    ['from=2026-11-02&to=2026-11-01', 'Before the first day'],
    ['status=Paid', 'Choose one of the statuses'],
    ['company=<b>', 'Enter digits only'],
    ['account=017', 'Enter at least the last four characters'],
    ['name=AS', 'Enter at least three characters of a name'],
    ['amount=many', 'Enter an amount such as 1250,50'],
    ['amount=20-10', 'Enter an amount such as 1250,50'],
    ['currency=XYZ', 'Enter a code such as NOK'],
  ])('shows the error of %s next to the field, and no payments', async (query, message) => {
    await store(1)
    const page = await open(`/console/payments?${query}`)
    expect([page.status, listed(page)]).toEqual([422, []])
    expect(page.html).toMatch(
      new RegExp(`aria-invalid="true" aria-describedby="(filter-\\w+-error)"[^]*id="\\1">${message}`),
    )
  })

  it('is downloaded as CSV with the filter, amounts as in the API', async () => {
    await store(2)
    await store(1, { status: 'Completed', prefix: '=DONE' })
    const page = await open('/console/payments.csv?status=Completed')
    expect(page.headers.get('content-disposition')).toBe('attachment; filename="payments.csv"')
    const [head, line, ...rest] = page.html.trimEnd().split('\r\n')
    expect(head).toBe('created,paymentId,endToEndId,creditor,amount,currency,dueDate,status,organizationNumber,partner')
    expect(line).toMatch(
      /^2026-11-01T00:01:00\.000Z,[\w-]{36},'=DONE-1,Granli Trelast AS,1250\.00,NOK,2026-11-21,Completed,987654325,Demo partner$/,
    )
    expect(rest).toEqual([])
  })
})

describe('the page of a payment', () => {
  it('begins with the receiver, the amount and what the receiver recognises the payment by', async () => {
    await sql('delete from payments')
    await store(1)
    const receiver = (country: string) =>
      `Creditor Granli Trelast AS Account of the creditor ${formatAccountNumber(country, '80501200011')} Amount 1 250,00 NOK`
    const fik = { type: 'fik', cardType: '71', paymentId: '000000000000018', creditorNumber: '81234567' }
    const rows = [
      ['NO', { type: 'ocr', value: '2345676' }, 'KID 2345676'],
      ['SE', { type: 'ocr', value: '2345676' }, 'OCR 2345676'],
      ['FI', { type: 'ocr', value: 'RF18539007547034' }, 'Reference (viitenumero or RF) RF18539007547034'],
      ['NO', { type: 'message', value: 'Invoice 7', debtorReference: 'Wood' }, 'Message Invoice 7'],
      ['DK', fik, 'FIK +71&#60;000000000000018+81234567&#60;'],
      ['NO', null, ''],
    ] as const
    for (const [country, remittance, shown] of rows) {
      await sql(
        `update payments set country_code = $1,
           ordered = (ordered::jsonb - 'remittanceInformation' || $2::jsonb)::text`,
        [country, JSON.stringify(remittance === null ? {} : { remittanceInformation: remittance })],
      )
      const [{ id }] = await sql('select id from payments')
      const text = textOf(await open(`/console/payments/${id}`)).replaceAll('\u00a0', ' ')
      expect(text).toContain(
        [receiver(country), shown, 'Status Unsigned Due date 21.11.2026'].filter((part) => part !== '').join(' '),
      )
      expect(text.includes('Text for the debtor Wood')).toBe(shown === 'Message Invoice 7')
    }
  })
})

describe('a payment of another partner', () => {
  it('is not listed, and its page is that of an unknown id; operators see both', async () => {
    await sql('delete from payments')
    const { partner } = await createPartner(webhooks.gateway.context, 'test', { name: newId() })
    await store(1, { partnerId: partner.id, prefix: 'FOREIGN' })
    const [{ id }] = await sql('select id from payments')
    expect(listed(await open('/console/payments'))).toEqual([])
    expect(listed(await open(`/console/payments?q=${id}`))).toEqual([])
    const pages = [
      await open(`/console/payments/${id}`),
      await open(`/console/payments/${newId()}`),
      await open('/console/payments/x'),
    ]
    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(pages.map(textOf)).size).toBe(1)
    expect(listed(await open('/console/payments', 'operator-reader'))).toEqual(['FOREIGN-1'])
    expect(titleOf(await open(`/console/payments/${id}`, 'operator-reader'))).toBe('Payment FOREIGN-1')
    await store(1, { prefix: 'OWN' })
    const chosen = `/console/payments?partner=${partner.id}`
    expect(listed(await open(chosen, 'operator-reader'))).toEqual(['FOREIGN-1'])
    expect(listed(await open(chosen))).toEqual(['OWN-1'])
  })
})

describe('an order of a payroll', () => {
  it('is no payment of the console', async () => {
    await sql('delete from payments')
    await store(1)
    await sql('update payments set payroll_id = gen_random_uuid()')
    const [{ id }] = await sql('select id from payments')
    for (const role of ['partner-finance', 'operator'] as const) {
      expect(listed(await open('/console/payments', role))).toEqual([])
      expect((await open(`/console/payments/${id}`, role)).status).toBe(404)
    }
  })
})

describe('the plan of a list', () => {
  it('reads no more than a page of each partner, whatever the filter', async () => {
    await sql('delete from payments')
    await store(8_000)
    await store(2_000, { status: 'Completed', organisationNumber: '987654333', prefix: 'DONE' })
    await sql('analyze payments')
    const { context } = webhooks.gateway
    const [{ count }] = await sql('select count(*)::int as count from partners')
    for (const query of ['', 'q=INV-7', 'status=Unsigned', 'company=987654333', 'from=2026-11-02', 'to=2026-11-03']) {
      const filter = paymentFilterOf(filterReader(new URLSearchParams(query)), OPERATOR)
      const { sql: text, parameters } = paymentListQuery(null, indexedConditions(filter), 50).compile(
        context.database.query,
      )
      const [plan] = await sql(`explain (analyze, format json) ${text}`, [...parameters])
      const scans = nodesReading('payments', plan['QUERY PLAN'][0].Plan)
      const read = scans.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
      expect(
        scans.map((node) => node['Node Type']),
        query,
      ).not.toContain('Seq Scan')
      expect(read, query).toBeLessThanOrEqual(50 * count)
    }
    const filter = paymentFilterOf(filterReader(new URLSearchParams('account=0777&amount=5')), OPERATOR)
    const scan = { filter, conditions: unindexedConditions(filter), limit: 50 }
    const { sql: text, parameters } = paymentScanQuery(null, scan, 500).compile(context.database.query)
    const [plan] = await sql(`explain (analyze, format json) ${text}`, [...parameters])
    const scans = nodesReading('payments', plan['QUERY PLAN'][0].Plan)
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    expect(scans.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)).toBeLessThanOrEqual(
      500 * count,
    )
  })
})
