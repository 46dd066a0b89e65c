/** Tests the lists of records: what is in them, for whom, pages and CSV, and that a page reads no more than it shows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { deleteAllDeals } from '../../gateway/fx/testing/stored-deals.ts'
import { recordListQuery } from '../../gateway/partners/record-list.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { nextPathOf, signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { storeDeal } from '../../gateway/testing/console/stored-deals.ts'
import { nodesReading } from '../../gateway/testing/database/query-plan.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import {
  acceptedConsent,
  CALLBACK,
  domesticPayment,
  KARI,
  OLA,
} from '../../gateway/testing/payments/sample-payments.ts'
import { demoPartnerId } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { RECORD_LISTS } from './record-lists.ts'

let gateway: TestGateway
let consentId: string
let paymentId: string
let approvalId: string
let cancellationId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const consent = await acceptedConsent(gateway)
  consentId = consent.consentId
  const { client } = gateway
  paymentId = (await client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })).paymentId
  approvalId = (await client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })).id
  const other = await client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  const body = { paymentId: other.paymentId, callbackUrl: CALLBACK }
  cancellationId = (await client.cancelPayment({ ...consent, body })).id
})
afterAll(() => gateway.close())

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await gateway.context.database.pool.query(text, [...values])).rows

async function open(path: string, role: Parameters<typeof signInAs>[1] = 'partner-finance') {
  return await (await signInAs(gateway, role)).open(path)
}

describe('a list', () => {
  it('shows consents with the bank, the company and the masked user', async () => {
    const page = await open('/console/consents')
    expect(textOf(page)).toMatch(new RegExp(`${consentId} .* FJORNO22 987654325 •+\\d* ACCEPTED`))
    expect(page.html).not.toContain('01815012345')
  })

  it('shows approvals with the number of their payments, and cancellations with a link to theirs', async () => {
    expect(textOf(await open('/console/approvals'))).toMatch(new RegExp(`${approvalId} .* 987654325 .* 1 STARTED`))
    const page = await open('/console/cancellations')
    expect(textOf(page)).toContain(cancellationId)
    expect(page.html).toMatch(/href="\/console\/payments\/[0-9a-f-]{36}"/)
  })

  it('leaves out approvals and cancellations of payrolls', async () => {
    await sql('update payments set payroll_id = gen_random_uuid() where id = $1', [paymentId])
    expect(textOf(await open('/console/approvals'))).not.toContain(approvalId)
    await sql('update payments set payroll_id = null where id = $1', [paymentId])
    await sql('update cancellations set payroll_cancellation_id = gen_random_uuid() where id = $1', [cancellationId])
    expect(textOf(await open('/console/cancellations'))).not.toContain(cancellationId)
    await sql('update cancellations set payroll_cancellation_id = null where id = $1', [cancellationId])
  })

  it('is filtered by status; an unknown one is an error next to the field', async () => {
    expect(textOf(await open('/console/consents?status=ACCEPTED'))).toContain(consentId)
    expect(textOf(await open('/console/consents?status=REVOKED'))).toContain('None matches the filters')
  })

  it('is searched by the id of a record', async () => {
    for (const [list, id] of [
      ['consents', consentId],
      ['approvals', approvalId],
      ['cancellations', cancellationId],
    ] as const) {
      expect(textOf(await open(`/console/${list}?id=${id.toUpperCase()}`)), list).toContain(`${id} `)
      expect(textOf(await open(`/console/${list}?id=${newId()}`)), list).toContain('None matches the filters')
    }
  })

  it('is filtered by company and by day of creation', async () => {
    const today = gateway.context.clock.today('Europe/Oslo')
    const rows = [
      ['company=987654325', true],
      ['company=987654333', false],
      [`from=${today}&to=${today}`, true],
      [`from=${today.add({ days: 1 })}`, false],
      [`to=${today.subtract({ days: 1 })}`, false],
    ] as const
    for (const [query, isListed] of rows) {
      expect(textOf(await open(`/console/consents?${query}`)).includes(consentId), query).toBe(isListed)
    }
  })

  it('finds approvals, cancellations and exchanges of a company', async () => {
    const dealId = await storeDeal(gateway, await demoPartnerId(gateway))
    await sql(
      `insert into fx_quotes (partner_id, id, country_code, organisation_number, end_to_end_id, provider, provider_quote_id,
         fixed_side, cost_currency, cost_minor, sell_minor, buy_currency, buy_minor, funding_country, funding_date,
         reference_code, intermediary, terms_sealed, created_at, expires_at)
       select partner_id, quote_id, 'NO', '987654325', '', provider, '', 'buy', 'NOK', 1, 1, 'EUR', 1, 'NO', funding_date,
         reference_code, '{}', '', created_at, created_at from fx_deals where id = $1`,
      [dealId],
    )
    for (const [list, id] of [
      ['approvals', approvalId],
      ['cancellations', cancellationId],
      ['exchanges', dealId],
    ]) {
      const [own, other] = [
        await open(`/console/${list}?company=987654325&status=`),
        await open(`/console/${list}?company=987654333`),
      ]
      expect([textOf(own).includes(id ?? ''), textOf(other).includes(id ?? '')], list).toEqual([true, false])
      expect(textOf(own)).toContain('987654325')
    }
    await deleteAllDeals(gateway.context.database)
  })

  it('shows what is wrong with a filter next to its field', async () => {
    for (const query of ['status=Lost', 'company=<b>', 'from=2026-02-30', 'to=yesterday']) {
      const wrong = await open(`/console/consents?${query}`)
      expect([wrong.status, wrong.html.includes(`id="filter-${query.split('=')[0]}-error"`)]).toEqual([422, true])
    }
    expect((await open('/console/consents?after=x')).status).toBe(422)
  })

  it('is downloaded as CSV', async () => {
    const { html: csv } = await open('/console/consents.csv?status=ACCEPTED')
    const [head, line] = csv.split('\r\n')
    expect(head).toBe('id,created,bank,company,user,status,reason,validUntil,partner')
    expect(line).toMatch(new RegExp(`^${consentId},\\d{4}-.*Z,FJORNO22,987654325,.*,ACCEPTED,,.*Z,Demo partner$`))
  })

  it.each(RECORD_LISTS.map(({ name }) => name))('of %s opens for operators', async (name) => {
    expect((await open(`/console/${name}`, 'operator-reader')).status).toBe(200)
    expect((await open(`/console/${name}.csv`, 'operator-reader')).status).toBe(200)
  })
})

describe('the page of', () => {
  it('a consent shows its accounts and how it was accepted, without the id of its user', async () => {
    const page = await open(`/console/consents/${consentId}`)
    expect(textOf(page)).toMatch(
      /Status ACCEPTED .*8050\.11\.00017 .*Authorisation of the consent: signed User •+45 · SCA/,
    )
    expect(page.html).not.toContain(KARI)
    expect(page.html).not.toContain('History')
    expect(textOf(page)).toContain('the bank reports another owner than the company: 1.')
  })

  it('an approval shows its payments, the link of its user to those who may act, and each authorisation', async () => {
    const page = await open(`/console/approvals/${approvalId}`)
    expect(textOf(page)).toMatch(/Status STARTED .*The user must sign .*\/signing\/.*INV-.* STARTED Unsigned/)
    expect(textOf(page)).toMatch(
      /Authorisation of a payment: begun .*Shown: Amount: 1.250,00.NOK · To: Granli Trelast AS/,
    )
    expect(textOf(await open(`/console/approvals/${approvalId}`, 'operator-reader'))).not.toContain('/signing/')
  })

  it('a cancellation shows its payment and its user, and operators its history', async () => {
    const path = `/console/cancellations/${cancellationId}`
    expect(textOf(await open(path))).toMatch(/Status ACCEPTED Payment INV-\S+ Cancelled Requested for the user •+45/)
    expect(textOf(await open(path, 'operator-reader'))).toContain(
      'The client demo-partner requested the cancellation of the payment',
    )
  })

  it('an exchange shows partners neither the provider nor the ledger', async () => {
    const id = await storeDeal(gateway, await demoPartnerId(gateway), 'funded')
    const [own, operators] = [
      await open(`/console/exchanges/${id}`),
      await open(`/console/exchanges/${id}`, 'operator'),
    ]
    expect(textOf(own).replaceAll('\u00a0', ' ')).toMatch(
      /State funded The payer pays 90,00 NOK The creditor gets 8,00 EUR/,
    )
    expect(textOf(own)).not.toMatch(/Ledger|Decisions/)
    expect(textOf(operators)).toMatch(/Decisions on this deal .*The ledger has no entries/)
    await deleteAllDeals(gateway.context.database)
  })

  it('an approval or a cancellation of a payroll does not exist', async () => {
    await sql('update payments set payroll_id = gen_random_uuid() where id = $1', [paymentId])
    await sql('update cancellations set payroll_cancellation_id = gen_random_uuid() where id = $1', [cancellationId])
    for (const path of [`approvals/${approvalId}`, `cancellations/${cancellationId}`]) {
      expect((await open(`/console/${path}`, 'operator')).status, path).toBe(404)
    }
    await sql('update payments set payroll_id = null where id = $1', [paymentId])
    await sql('update cancellations set payroll_cancellation_id = null where id = $1', [cancellationId])
  })
})

describe('a consent', () => {
  it('is revoked once as over the API, and only in the state in which the user has seen it', async () => {
    const { consentId: id } = await acceptedConsent(gateway, OLA)
    const [browser, other] = [await signInAs(gateway, 'partner-finance'), await signInAs(gateway, 'operator')]
    const path = `/console/consents/${id}`
    await Promise.all([browser.open(path), other.open(path)])
    // The user clicks twice, and sees the answer to the second click.
    const [, revoked = expect.fail()] = await Promise.all([0, 1].map(() => browser.send(`${path}/revoke`)))
    expect(revoked.status).toBe(200)
    expect(textOf(revoked)).toContain('Status REVOKED Reason PARTNER')
    expect(revoked.html).not.toContain('/revoke"')
    const late = await other.send(`${path}/revoke`)
    expect([late.status, textOf(late)]).toEqual([409, expect.stringContaining('the state was ACCEPTED')])
    expect(
      await sql(`select actor, action from audit_log where subject_id = $1 and action = 'consent revoked'`, [id]),
    ).toEqual([{ actor: 'user Eva Sund (sandbox partner-finance)', action: 'consent revoked' }])
  })
})

it('consents that expire within some days are listed, and lead to their pages', async () => {
  const link = `href="/console/consents/${consentId}"`
  const rows = [
    ['', 200, false],
    ['?days=366', 200, true],
    ['?days=0', 422, false],
    ['?days=x', 422, false],
  ] as const
  for (const [query, status, isListed] of rows) {
    const page = await open(`/console/consents/expiring${query}`)
    expect([page.status, page.html.includes(link)], query).toEqual([status, isListed])
  }
})

describe('records of another partner', () => {
  it('are listed for operators only, page by page', async () => {
    const { partner } = await createPartner(gateway.context, 'test', { name: newId() })
    await sql(
      `insert into consents (partner_id, id, company_id, bic, country_code, organisation_number, status, callback_url,
         valid_until, created_at, updated_at)
       select $1, uuidv7(), gen_random_uuid(), 'FJORNO22', 'NO', 'foreign-' || n, 'ACCEPTED', '', now(), now(), now()
       from generate_series(1, 70) n`,
      [partner.id],
    )
    expect(textOf(await open('/console/consents'))).not.toContain('foreign-')
    const browser = await signInAs(gateway, 'operator-reader')
    const seen: string[] = []
    for (let path: string | undefined = '/console/consents'; path !== undefined; ) {
      const { html } = await browser.open(path)
      seen.push(...(html.match(/foreign-\d+/g) ?? []))
      path = nextPathOf({ html })
    }
    expect(new Set(seen).size).toBe(70)
    expect(seen).toHaveLength(70)
  })
})

describe('the plan of a list', () => {
  it.each(RECORD_LISTS)('of $name reads the table by an index, newest first', async (list) => {
    const day = Temporal.Instant.from('2026-11-25T00:00:00+01:00')
    const none = { partnerId: null, id: undefined, status: list.statuses[0], organisationNumber: undefined, limit: 50 }
    const filters = [
      {
        ...none,
        createdFrom: undefined,
        createdBefore: undefined,
        after: { createdAt: gateway.context.clock.now(), id: newId() },
      },
      { ...none, createdFrom: day, createdBefore: day.add({ hours: 24 }), after: undefined },
      ...(list.columns.includes('company')
        ? [
            {
              ...none,
              organisationNumber: '987654325',
              createdFrom: undefined,
              createdBefore: undefined,
              after: undefined,
            },
          ]
        : []),
      { ...none, createdFrom: undefined, createdBefore: undefined, after: undefined },
      { ...none, status: undefined, id: newId(), createdFrom: undefined, createdBefore: undefined, after: undefined },
    ]
    for (const filter of filters) {
      const { sql: text, parameters } = recordListQuery(list.source, filter).compile(gateway.context.database.query)
      const [plan] = await sql(`explain (format json) ${text}`, [...parameters])
      const nodes = nodesReading(list.source.table, plan['QUERY PLAN'][0].Plan)
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
      expect(nodes.length).toBeGreaterThan(0)
    }
  })
})
