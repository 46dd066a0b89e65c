/** Tests the story of a payment: what is in it, in which order and for whom, and that an open page notices each part. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evidenceOfSubjectQuery, evidenceOfTargetsQuery } from '../../gateway/authorisations/list-evidence.ts'
import { deleteAllDeals } from '../../gateway/fx/testing/stored-deals.ts'
import { paymentVersionsQuery, readPaymentVersions } from '../../gateway/orders/views/order-versions.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { visitBank } from '../../gateway/testing/browser/bank-user.ts'
import type { SeenPage } from '../../gateway/testing/browser/form-browser.ts'
import { nextPathOf, signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { storeAuthorisedRecords } from '../../gateway/testing/console/stored-authorisations.ts'
import { storeDeal } from '../../gateway/testing/console/stored-deals.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI } from '../../gateway/testing/payments/sample-payments.ts'
import { enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../gateway/testing/webhooks/webhook-gateway.ts'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(async () => {
  // What the tests store has no postings that balance.
  await deleteAllDeals(webhooks.gateway.context.database)
  await webhooks.close()
})

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await webhooks.gateway.context.database.pool.query(text, [...values])).rows

async function storyOf(id: string, role: Parameters<typeof signInAs>[1] = 'partner-finance'): Promise<string> {
  const page = await (await signInAs(webhooks.gateway, role)).open(`/console/payments/${id}`)
  return (textOf(page).split('What happened')[1] ?? '').replaceAll('\u00a0', ' ')
}

async function storedPayment(prefix: string): Promise<{ readonly partnerId: string; readonly id: string }> {
  const [id = ''] = await storePayments(webhooks.gateway, 1, { prefix })
  const [{ partnerId }] = await sql('select partner_id as "partnerId" from payments where id = $1', [id])
  return { partnerId, id }
}

describe('the story of a payment', () => {
  it('shows the order, its statuses, the approval with who signed what, and the deliveries, in the order of time', async () => {
    await webhooks.subscribe('/story')
    const { client } = webhooks.gateway
    const consent = await acceptedConsent(webhooks.gateway)
    const { paymentId } = await client.initiateDomesticPayment({ ...consent, body: domesticPayment(webhooks.gateway) })
    const { sca } = await client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
    await visitBank(sca?.type === 'redirect' ? sca.url : '', { userId: KARI })
    await webhooks.gateway.sweep()
    await webhooks.gateway.context.bankCallLog.flush()
    await webhooks.gateway.context.requestLog.flush()
    const story = await storyOf(paymentId)
    const steps = [
      'The partner ordered the payment Under the consent of user •••••••••45',
      'Status Unsigned',
      'A user started to approve it User •••••••••45',
      'Authorisation of a payment: signed User •••••••••45 · SCA status finalised',
      'Shown: Amount: 1 250,00 NOK · To: Granli Trelast AS',
      'Status InProgress',
    ]
    const places = steps.map((step) => story.indexOf(step))
    expect(places).toEqual(places.filter((place) => place >= 0).toSorted((one, other) => one - other))
    expect(story).toContain('The approval ended: ACCEPTED')
    expect(story).toMatch(/Request, answered after \d/)
    expect(story).toMatch(
      /Call to the bank: initiatePayment, [\d.]+ ms 201 POST \/fjordbanken\/v1\/payments\/\S+ The bank answered: RCVD received, and not checked yet More X-Request-ID [\w-]{36}/,
    )
    expect(story).toMatch(/Event \S+: Delivered .*\/story Attempts: 1/)
    expect(story).not.toContain(KARI)
  })

  it('folds polls without a change, and keeps the call of an X-Request-ID reachable', async () => {
    const { partnerId, id } = await storedPayment('POLL')
    await sql(
      `insert into bank_calls (partner_id, payment_id, id, bic, at, operation, method, path, status, milliseconds, request_id, bank_text)
       select $1, $2, uuidv7(), 'FJORNO22', '2026-11-01T08:00:00Z'::timestamptz + n * interval '1 minute',
         case n when 0 then 'initiatePayment' else 'getPaymentStatus' end, case n when 0 then 'POST' else 'GET' end, '/',
         case n when 50 then 503 else 200 end, 1, 'request-' || n,
         case when n < 44 then 'RCVD' when n = 50 then 'SERVICE_BLOCKED' else 'ACSC' end
       from generate_series(0, 50) n`,
      [partnerId, id],
    )
    const story = await storyOf(id)
    expect(story.match(/\d+ polls? of the bank, no change|The bank answered: (?!RCVD|ACSC)\w+/g)).toEqual([
      '42 polls of the bank, no change',
      '5 polls of the bank, no change',
      'The bank answered: SERVICE_BLOCKED',
    ])
    const { html } = await (await signInAs(webhooks.gateway, 'partner-finance')).open(`/console/payments/${id}`)
    expect(html.match(/id="call-request-\d+"/g)).toHaveLength(51)
    expect(html.replace(/^[\s\S]*<main/, '').split('<details')[0]).toContain('id="call-request-1"')
  })

  it('leads on to every call to the bank, however many there are', async () => {
    const { partnerId, id } = await storedPayment('MANY')
    await sql(
      `insert into bank_calls (partner_id, payment_id, id, bic, at, operation, method, path, status, milliseconds, request_id, bank_text)
       select $1, $2, uuidv7(), 'FJORNO22', '2026-11-01T08:00:00Z'::timestamptz + n * interval '1 minute',
         'getPaymentStatus', 'GET', '/', 200, 1, 'request-' || n, 'RCVD' from generate_series(1, 560) n`,
      [partnerId, id],
    )
    const browser = await signInAs(webhooks.gateway, 'partner-finance')
    const page = await browser.open(`/console/payments/${id}`)
    const seen = new Set(page.html.match(/request-\d+/g))
    expect(seen.size).toBe(500)
    let [, next] = /href="([^"]+\/calls\?[^"]+)"/.exec(page.html) ?? []
    while (next !== undefined) {
      const list = await browser.open(next)
      for (const call of list.html.match(/request-\d+/g) ?? []) {
        seen.add(call)
      }
      next = nextPathOf(list)
    }
    expect(seen.size).toBe(560)
    expect(textOf(await browser.open(`/console/payments/${id}/calls`))).toMatch(/request-560 .* request-511 /)
    expect((await browser.open(`/console/payments/${id}/calls?after=x`)).status).toBe(422)
  })

  it('leads to its events and deliveries, and they lead back to it', async () => {
    await webhooks.subscribe('/linked')
    const { partnerId, id } = await storedPayment('LINK')
    await enqueueStatusChange(webhooks.gateway, partnerId, 'Rejected', { paymentId: id })
    const browser = await signInAs(webhooks.gateway, 'partner-developer')
    const linkIn = ({ html }: SeenPage, path: RegExp) => path.exec(html)?.[0] ?? 'no link'
    const toEvent = linkIn(await browser.open(`/console/payments/${id}`), /\/console\/webhooks\/events\/[\w-]+/)
    const event = await browser.open(toEvent)
    expect([titleOf(event), event.html]).toEqual(['Event', expect.stringContaining(`/console/payments/${id}`)])
    const toDelivery = linkIn(event, /\/console\/webhooks\/[\w-]{36}\/deliveries\/[\w-]+/)
    const delivery = await browser.open(toDelivery)
    expect([titleOf(delivery), delivery.html]).toEqual(['Webhook delivery', expect.stringContaining(toEvent)])
  })

  it('shows cancellations with every step, an order that had expired, and the account entry that matched', async () => {
    const { partnerId, id } = await storedPayment('STORY')
    await storeAuthorisedRecords(webhooks.gateway, { partnerId, id })
    await sql(
      `insert into payment_history (partner_id, payment_id, id, at, status) values ($1, $2, uuidv7(), now(), 'Completed')`,
      [partnerId, id],
    )
    await sql(`update payments set status = 'Completed', settled_by = 'id E-77' where id = $1`, [id])
    await sql(
      `insert into expired_orders (partner_id, payment_id, bank_payment_id, bank_request_id, notification_token_hash,
         expired_at, id, bic, previous_poll_step) values ($1, $2, 'old-1', $2, '', now(), $2, 'FJORNO22', 0)`,
      [partnerId, id],
    )
    await sql('update payments set expired_at = now() where id = $1', [id])
    const page = await (await signInAs(webhooks.gateway, 'operator-reader')).open(`/console/payments/${id}`)
    expect(textOf(page)).toContain('the order is submitted again with the next approval')
    const story = await storyOf(id)
    for (const part of [
      /Cancellation requested User •+45/,
      /Authorisation of the cancellation: begun User •+45 .*From 192\.0\.2\.7 · Mozilla\/5\.0 \(test\)/,
      /Cancellation: AUTHORIZATION_REQUIRED/,
      /The order had expired unsigned at the bank, and was submitted again Former id at the bank: old-1/,
      /Status Completed Matched account entry: E-77/,
    ]) {
      expect(story).toMatch(part)
    }
  })

  it('shows the exchange with its deal and funding, and operators its ledger', async () => {
    const { partnerId, id } = await storedPayment('FX')
    const dealId = await storeDeal(webhooks.gateway, partnerId, 'funded')
    await sql(`update payments set exchange = 'funded' where id = $1`, [id])
    await sql('update fx_deals set payment_id = $2 where id = $1', [dealId, id])
    await sql(
      `insert into fx_deal_history (partner_id, id, deal_id, at, event, detail) values ($1, $2, $3, now(), 'booked', '{"rate": "11.2"}')`,
      [partnerId, newId(), dealId],
    )
    await sql(
      `insert into fx_ledger_lines (partner_id, subject_id, event, account, currency, minor, entry_id, at)
       select $1, $2, 'funded', a, 'NOK', m, $2, now() from (values ('provider', 9000), ('payer', -9000)) l (a, m)`,
      [partnerId, dealId],
    )
    const [own, operators] = [await storyOf(id), await storyOf(id, 'operator-reader')]
    expect(own).toContain('Exchange: booked')
    expect(own).not.toMatch(/rate|Ledger/)
    expect(operators).toMatch(/Exchange: booked rate: 11\.2/)
    expect(operators).toMatch(/Ledger: funded (payer -90,00 NOK provider|provider 90,00 NOK payer)/)
  })

  it('shows operators the tasks, and partners none', async () => {
    const { partnerId, id } = await storedPayment('TASK')
    await sql(
      `insert into operator_tasks (partner_id, id, kind, subject_type, subject_id, advice, detail, status, created_at)
       values ($1, gen_random_uuid(), 'UnknownOutcome', 'payment', $2, 'Ask the bank', '{}', 'open', now())`,
      [partnerId, id],
    )
    expect(await storyOf(id, 'operator-reader')).toContain(
      'Operator task “Payment with an unknown outcome”: open Ask the bank',
    )
    expect(await storyOf(id)).not.toContain('Operator task')
  })
})

describe('an open page', () => {
  it('notices every change of the payment, its approvals, cancellations, exchange, tasks and deliveries', async () => {
    const payment = await storedPayment('LIVE')
    const { partnerId, id } = payment
    const { approvalId, cancellationId } = await storeAuthorisedRecords(webhooks.gateway, payment)
    const dealId = await storeDeal(webhooks.gateway, partnerId)
    await sql('update fx_deals set payment_id = $2 where id = $1', [dealId, id])
    const reader = (subjects: readonly string[]) => readPaymentVersions(webhooks.gateway.context.database, subjects)
    const subject = `${partnerId} ${id}`
    const read = async () => (await reader([subject])).get(subject)
    const changes: readonly (readonly [string, readonly string[]])[] = [
      [`update payments set changed_at = changed_at + interval '1 hour' where id = $1`, [id]],
      [`update approval_payments set result = 'REJECTED' where approval_id = $1`, [approvalId]],
      [`update sca_steps set state = 'signed' where target_id = $1 and target_type = 'cancellation'`, [id]],
      [`update cancellations set status = 'ACCEPTED' where id = $1`, [cancellationId]],
      ['update fx_deals set version = version + 1 where id = $1', [dealId]],
      [
        `insert into operator_tasks (partner_id, id, kind, subject_type, subject_id, advice, detail, status, created_at)
         values ($1, gen_random_uuid(), 'UnknownOutcome', 'payment', $2, '', '{}', 'open', now())`,
        [partnerId, id],
      ],
      [
        `insert into webhook_deliveries (partner_id, subscription_id, id, endpoint_version, origin, event_id, event_type,
           subject_id, body, status, ready, created_at, retried_manually)
         values ($1, $2, $2, 1, '', $2, '', $2, '', 'Queued', false, now(), true)`,
        [partnerId, id],
      ],
    ]
    for (const [change, values] of changes) {
      const before = await read()
      await sql(change, values)
      expect(await read(), change).not.toBe(before)
    }
  })
})

describe('the plan of', () => {
  it('every query of an open page reads each table by an index', async () => {
    const [partnerId, id] = [newId(), newId()]
    const queries = [
      paymentVersionsQuery([`${partnerId} ${id}`]),
      evidenceOfSubjectQuery({ partnerId, kind: 'approval', subjectId: id }),
      evidenceOfTargetsQuery({ partnerId, targetIds: [id] }),
    ]
    for (const query of queries) {
      const { sql: text, parameters } = query.compile(webhooks.gateway.context.database.query)
      const plan = (await sql(`explain ${text}`, parameters)).map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('Index')
      expect(plan).not.toContain('Seq Scan')
    }
  })
})
