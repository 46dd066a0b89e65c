/** Tests the overview: what it counts, for whom, and the first steps of a developer. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import type { TppCertificates } from '../../gateway/banks/certificates/tpp-certificates.ts'
import type { ConsoleRole } from '../../gateway/config/console-roles.ts'
import { countPayments } from '../../gateway/orders/daily-counts/count-payments.ts'
import { countPaymentsWithStatus } from '../../gateway/orders/views/order-figures.ts'
import { lowestIdAt, newId } from '../../gateway/platform/ids.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { storeDeal } from '../../gateway/testing/console/stored-deals.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { storeRequests } from '../../gateway/testing/console/stored-requests.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'
import { demoPartnerId, enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../gateway/testing/webhooks/webhook-gateway.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { formatDay } from '../markup/format-time.ts'
import { homeRoutes } from './home-page.ts'
import { COUNTED_MAX } from './tiles.ts'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  const { pool } = webhooks.gateway.context.database
  await pool.query('delete from payments')
  await pool.query('delete from webhook_deliveries')
})

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await webhooks.gateway.context.database.pool.query(text, [...values])).rows

const inDays = (days: number) =>
  webhooks.gateway.context.clock
    .now()
    .add({ hours: 24 * days })
    .toString()
const shownDay = (days: number) => formatDay(webhooks.gateway.context.clock.today('Europe/Oslo').add({ days }))

async function overviewOf(role: Parameters<typeof signInAs>[1]): Promise<string> {
  return textOf(await (await signInAs(webhooks.gateway, role)).open('/console'))
}

describe('the figures', () => {
  it('count the payments that wait, of the user’s partner or of all for operators', async () => {
    const { partner } = await createPartner(webhooks.gateway.context, 'test', { name: newId() })
    await storePayments(webhooks.gateway, 3)
    await storePayments(webhooks.gateway, 2, { status: 'Rejected' })
    await storePayments(webhooks.gateway, 4, { partnerId: partner.id })
    expect(await overviewOf('partner-finance')).toMatch(/3 Unsigned 0 CustomerActionRequired 0 InProgress 2 Rejected/)
    expect(await overviewOf('operator-reader')).toMatch(/7 Unsigned 0 CustomerActionRequired 0 InProgress 2 Rejected/)
  })

  it('lead to the list behind them', async () => {
    const browser = await signInAs(webhooks.gateway, 'partner-finance')
    await storePayments(webhooks.gateway, 2, { status: 'Rejected', prefix: 'REJECTED' })
    const { html } = await browser.open('/console')
    expect(html).toContain('href="/console/payments?status&#61;Rejected"')
    expect(textOf(await browser.open('/console/payments?status=Rejected'))).toContain('REJECTED-2')
    const operator = await (await signInAs(webhooks.gateway, 'operator-reader')).open('/console')
    expect(operator.html).toContain('href="/console/tasks"><strong>0</strong>')
  })

  it('stop counting at a thousand', async () => {
    await storePayments(webhooks.gateway, COUNTED_MAX + 5)
    const partnerId = await demoPartnerId(webhooks.gateway)
    expect(await countPaymentsWithStatus(webhooks.gateway.context.database, partnerId, 'Unsigned', COUNTED_MAX)).toBe(
      COUNTED_MAX,
    )
    expect(await overviewOf('partner-finance')).toContain('1 000 or more')
  })

  it('show deliveries that wait, and since when, and no salaries', async () => {
    await webhooks.subscribe('/waiting')
    await enqueueStatusChange(webhooks.gateway, await demoPartnerId(webhooks.gateway))
    expect(await overviewOf('partner-developer')).toMatch(
      /– no delivery in 24 hours 1 delivery waits to be sent the oldest since \d{2}\.\d{2}\.\d{4}/,
    )
    await storePayments(webhooks.gateway, 1)
    await webhooks.gateway.context.database.pool.query('update payments set payroll_id = gen_random_uuid()')
    expect(await overviewOf('operator')).toMatch(/0 Unsigned/)
  })

  it('show how many recent deliveries succeeded', async () => {
    const partnerId = await demoPartnerId(webhooks.gateway)
    await webhooks.subscribe('/recent')
    for (const status of ['Delivered', 'Delivered', 'Delivered', 'Failed', 'Refused']) {
      await enqueueStatusChange(webhooks.gateway, partnerId)
      await sql(`update webhook_deliveries set status = $1, ready = false, due_at = null where status = 'Queued'`, [
        status,
      ])
    }
    const found = textOf(await (await signInAs(webhooks.gateway, 'operator')).open('/console'))
    const [, ended = '', done = ''] = /([\d,]+) % of the (\d+) most recent/.exec(found.replaceAll('\u00a0', ' ')) ?? []
    expect(Number(ended.replace(',', '.'))).toBe(60)
    expect(Number(done) % 5).toBe(0)
  })

  it('count approvals and exchanges that users must sign, and consents that expire', async () => {
    const { gateway } = webhooks
    const partnerId = await demoPartnerId(gateway)
    const consent = await acceptedConsent(gateway)
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    await gateway.client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
    const deal = await storeDeal(gateway, partnerId, 'funded')
    await sql(`update fx_deals set state = 'booked', deadline = $2 where id = $1`, [deal, inDays(1)])
    await sql(`update consents set valid_until = $2 where id = $1`, [consent.consentId, inDays(29)])
    const day = String.raw`\d{2}\.\d{2}\.\d{4} [\d:]+`
    const waiting = new RegExp(
      `1 approvals started the oldest since ${day} 1 exchanges to sign the first until ${day} 1 consents expire within 30 days the first on ${day}`,
    )
    expect(await overviewOf('partner-finance')).toMatch(waiting)
    expect(await overviewOf('operator-reader')).toMatch(waiting)
    await sql(`update consents set valid_until = $2 where id = $1`, [consent.consentId, inDays(31)])
    await sql('delete from fx_deals')
    expect(await overviewOf('partner-finance')).toMatch(
      /0 exchanges to sign 0 consents expire within 30 days Webhooks|0 exchanges to sign 0 consents expire within 30 days Banks/,
    )
  })

  it('warn operators of certificates that expire', async () => {
    const { context } = webhooks.gateway
    const bodyFor = async (role: ConsoleRole, days: number) => {
      const notAfter = context.clock.real().add({ hours: 24 * days })
      const qwac = {
        use: 'QWAC',
        name: null,
        extendedKeyUsage: null,
        notBefore: context.clock.real(),
        notAfter,
        organizationIdentifier: null,
        roles: [],
      }
      const byName = new Map([[null, { name: null, qwac, qseal: null, authorities: null }]])
      const certificates = { byName, warningDays: 30 } as unknown as TppCertificates
      const viewer = { session: { roles: [role], partnerId: null }, isSandbox: true } as unknown as Viewer
      const [overview] = homeRoutes({ ...context, certificates })
      const answer = await overview?.handle({ viewer } as ConsoleRequest)
      return answer?.kind === 'page' ? answer.body : ''
    }
    expect(await bodyFor('operator', 20)).toMatch(/The QWAC expires in (19|20) days: request a new one\./)
    expect(await bodyFor('operator', 31)).not.toContain('expires in')
    expect(await bodyFor('partner-finance', 20)).not.toContain('expires in')
  })

  it('name the banks that fail', async () => {
    const { context } = webhooks.gateway
    expect(await overviewOf('partner-payroll')).toMatch(/All \d+ banks are operational/)
    for (let call = 0; call < 20; call += 1) {
      await context.banks.recordCall({ bank: 'FJORNO22', operation: 'getConsent', outcome: 'failed' })
    }
    expect(await overviewOf('partner-payroll')).toMatch(/Banks Fjordbanken \(FJORNO22\) (Degraded|Down)/)
    await context.banks.resetFailures()
  })
})

describe('the figures over time', () => {
  /** As a worker counts them. */
  async function storeAndCount(): Promise<void> {
    const store = async (count: number, status: string, daysAgo: number, currency = 'NOK') => {
      const ids = await storePayments(webhooks.gateway, count, { status, prefix: `${status}-${daysAgo}` })
      await sql(
        `update payments set created_at = $2, changed_at = $2, currency = $3, signed = status in ('InProgress', 'Completed')
         where id = any($1::uuid[])`,
        [ids, inDays(-daysAgo), currency],
      )
    }
    await store(3, 'Completed', 1)
    await store(2, 'InProgress', 1)
    await store(1, 'Rejected', 1)
    await store(4, 'Completed', 2, 'EUR')
    await store(5, 'Unsigned', 30)
    await sql('delete from payment_count_positions')
    await countPayments(webhooks.gateway.context, 10)
  }

  it('are a picture with a name, a table of days, and amounts by currency', async () => {
    await storeAndCount()
    const page = await (await signInAs(webhooks.gateway, 'partner-finance')).open('/console')
    expect(page.html.match(/<svg role="img" aria-label="Bar chart: 10 payments of the last 30 days/g)).toHaveLength(2)
    expect(page.html.match(/ style=|<style/g)).toBeNull()
    const text = textOf(page).replaceAll('\u00a0', ' ')
    expect(text).toContain(`${shownDay(-1)} 6 5 3 1 0 ${shownDay(-2)} 4 4 4 0 0 ${shownDay(-3)} 0 0 0 0 0`)
    expect(text).toContain('NOK 6 7 500,00 NOK 5 6 250,00 NOK 3 3 750,00 NOK 1 1 250,00 NOK 0 EUR 4 5 000,00 EUR')
    expect(text).toMatch(/Counted up to \d{2}\./)
  })

  it('say nothing of payments that have not been counted', async () => {
    await storePayments(webhooks.gateway, 3)
    await sql('delete from payment_daily_counts')
    await sql('delete from payment_count_positions')
    const uncounted = await overviewOf('partner-finance')
    expect(uncounted).toContain('Payments have not been counted yet')
    expect(uncounted).not.toContain('No payment was initiated')
    await sql('delete from payments')
    await countPayments(webhooks.gateway.context, 10)
    expect(await overviewOf('partner-finance')).toMatch(/No payment was initiated in these days. Counted up to/)
  })

  it('lead to lists of exactly these payments', async () => {
    await storeAndCount()
    for (const role of ['partner-finance', 'operator-reader'] as const) {
      const browser = await signInAs(webhooks.gateway, role)
      const { html } = await browser.open('/console')
      const [, figures = ''] = /<svg role="img"([\s\S]*)<\/main>/.exec(html) ?? []
      const links = [...figures.matchAll(/href="(\/console\/payments\?[^"]+)">(\d+)</g)]
      expect(links.length).toBeGreaterThan(10)
      for (const [, path = '', count] of links) {
        const list = await browser.open(path.replaceAll('&#61;', '=').replaceAll(/&(amp|#38);/g, '&'))
        const shown = list.html.match(/<a href="\/console\/payments\/[0-9a-f]/g) ?? []
        expect([list.status, shown.length], path).toEqual([200, Number(count)])
      }
    }
  })

  it('have a page with the success of each day, of each bank for operators, and the errors of developers by day', async () => {
    await storeAndCount()
    await sql(`update payments set status_reason_text = 'AC04 Closed' where status = 'Rejected'`)
    await sql('delete from request_log')
    const partnerId = await demoPartnerId(webhooks.gateway)
    const today = webhooks.gateway.context.clock.real().toZonedDateTimeISO('Europe/Oslo').toPlainDate()
    const onDay = (daysAgo: number, codes: readonly string[], isPayroll = false) => {
      const at = today.subtract({ days: daysAgo }).toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: '00:00' })
      const id = `${lowestIdAt(at.toInstant()).slice(0, 19)}${newId().slice(19)}`
      return { id, status: 422, errorCodes: codes, isPayroll }
    }
    await storeRequests(webhooks.gateway, partnerId, [
      onDay(1, ['InvalidAmount', 'InvalidAmount', 'InvalidDueDate']),
      onDay(1, ['InvalidAmount']),
      onDay(1, ['InvalidBBAN'], true),
      onDay(2, []),
      onDay(14, ['InvalidSomething']),
    ])
    const figuresOf = async (role: ConsoleRole, query = '') =>
      textOf(await (await signInAs(webhooks.gateway, role)).open(`/console/figures${query}`)).replaceAll('\u00a0', ' ')
    const [finance, developer, operator] = [
      await figuresOf('partner-finance'),
      await figuresOf('partner-developer'),
      await figuresOf('operator-reader', `?partner=${partnerId}`),
    ]
    expect(finance).toContain(
      `${shownDay(-1)} 6 3 1 0 75 % ${shownDay(-2)} 4 4 0 0 100 % ${shownDay(-3)} ${shownDay(-4)}`,
    )
    expect(finance).not.toMatch(/InvalidAmount|by bank/)
    const shown = (daysAgo: number) => formatDay(today.subtract({ days: daysAgo }))
    expect(developer).toMatch(
      new RegExp(`${shown(1)} 2 InvalidAmount .* More 1 InvalidDueDate .* More ${shown(2)} 1 HTTP 422`),
    )
    expect(developer).not.toMatch(/InvalidBBAN|InvalidSomething|by bank/)
    expect(operator).toContain('1 InvalidBBAN')
    expect(operator).toMatch(/Fjordbanken 10 7 1 0 87,5 % 1 × AC04 Closed the account is closed More/)
    const ofDay = (daysAgo: number, figures: string) => `${shownDay(-daysAgo)} Fjordbanken ${figures}`
    expect(operator).toContain(
      `${ofDay(1, '6 3 1 0 75 % 1 × AC04 Closed the account is closed More')} ${ofDay(2, '4 4 0 0 100 %')} `,
    )
    expect(await figuresOf('operator-reader', `?partner=${newId()}`)).toContain('No request was rejected')
    expect(await figuresOf('operator-reader', '?partner=x')).toContain('Correct the filters')
  })
})
