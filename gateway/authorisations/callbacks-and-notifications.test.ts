/** Tests what browsers and banks call in an SCA session: callback URLs of partners and ours, notifications, and their statements. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser, visitBank } from '../testing/browser/bank-user.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, OLA, PSU } from '../testing/payments/sample-payments.ts'
import { withStatusParameter } from './callback-url.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('the callback URL of a partner', () => {
  test('the status is added to the query, before a fragment, or replaces an existing one; the rest stays as written', () => {
    for (const [callbackUrl, returned] of [
      ['https://erp.example', 'https://erp.example?status=success'],
      ['https://erp.example/', 'https://erp.example/?status=success'],
      ['https://erp.example/#/done', 'https://erp.example/?status=success#/done'],
      ['https://erp.example/#/done?a=b', 'https://erp.example/?status=success#/done?a=b'],
      ['https://erp.example/a?', 'https://erp.example/a?status=success'],
      ['https://erp.example/a?#', 'https://erp.example/a?status=success#'],
      ['https://erp.example/a?b=c&', 'https://erp.example/a?b=c&status=success'],
      ['https://erp.example/a?b', 'https://erp.example/a?b&status=success'],
      ['https://erp.example/a?b=%20c+d&e=%C3%A6&f=%7e', 'https://erp.example/a?b=%20c+d&e=%C3%A6&f=%7e&status=success'],
      ['https://erp.example/a?b=c d&e=æ', 'https://erp.example/a?b=c d&e=æ&status=success'],
      ["https://erp.example/a?b='(c)*!~@:/?", "https://erp.example/a?b='(c)*!~@:/?&status=success"],
      ['https://erp.example/a?b[]=1&&b[]=2;c', 'https://erp.example/a?b[]=1&&b[]=2;c&status=success'],
      ['HTTPS://ERP.Example:443/a/../b//%2e%2E/', 'HTTPS://ERP.Example:443/a/../b//%2e%2E/?status=success'],
      ['https://bøk.example/å', 'https://bøk.example/å?status=success'],
      ['http://[0:0::1]:080/a', 'http://[0:0::1]:080/a?status=success'],
      ['https://erp.example/a?status=x&b=%20#d', 'https://erp.example/a?status=success&b=%20#d'],
      ['https://erp.example/a?b=c&%73tatus=x&d&status', 'https://erp.example/a?b=c&status=success&d'],
      [
        'https://erp.example/a??status=x&Status=y&xstatus=z',
        'https://erp.example/a??status=x&Status=y&xstatus=z&status=success',
      ],
      [' https://erp.example/a ', 'https://erp.example/a?status=success'],
      ['myerp://back', 'myerp://back?status=success'],
      ['myerp://back#done', 'myerp://back?status=success#done'],
      ['myerp:back', 'myerp:back?status=success'],
    ] as const) {
      expect(withStatusParameter(callbackUrl, 'success')).toBe(returned)
    }
  })

  test('a user returns to the scheme of an application, and the pages of the redirect permit it', async () => {
    const { client } = await gateway.otherPartner({ withCompany: true, callbackOrigins: ['myerp:'] })
    const callbackUrl = 'myerp://back?id=%20a+b#consents'
    const { sca } = await client.createConsent({
      psu: PSU,
      body: { bic: 'FJORNO22', organizationNumber: '987654325', userId: KARI, callbackUrl },
    })
    const url = sca.type === 'redirect' ? sca.url : expect.fail('The consent is not signed by redirect')
    const page = await openBrowser().ask(url)
    expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self' [^;]* myerp:;/)
    expect((await visitBank(url, { userId: KARI })).href).toBe('myerp://back?id=%20a+b&status=success#consents')
  })

  test('a partner without the permission for schemes registers none', async () => {
    await expect(acceptedConsent(gateway, OLA, { callbackUrl: 'myerp://back' })).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.callbackUrl', reason: expect.stringContaining('myerp: is not') }],
    })
  })
})

describe('a notification of a bank', () => {
  let kari: Awaited<ReturnType<typeof acceptedConsent>>
  beforeAll(async () => {
    kari = await acceptedConsent(gateway)
  })

  type Addresses = { readonly hint: string; readonly back: string }

  /** The notification URLs that the bank received for an approval whose user is present. */
  async function left(): Promise<Addresses & { readonly id: string }> {
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const { id, sca } = await gateway.client.approvePayments({ ...kari, body })
    await openBrowser().post(sca?.type === 'redirect' ? sca.url : '', {})
    const { rows } = await gateway.context.database.pool.query<Addresses>(
      'select (select notification_uri from sandbox_bank.payments order by id desc limit 1) as hint, redirect_uri as back from sandbox_bank.authorisations order by id desc limit 1',
    )
    const [addresses] = rows
    if (addresses === undefined) {
      throw new Error('The bank was asked for no authorisation')
    }
    return { id, ...addresses }
  }

  /** Whether the poll of the SCA session is due at once. */
  async function isDue(approvalId: string): Promise<boolean> {
    const { rows } = await gateway.context.database.pool.query<{ dueAt: Temporal.Instant }>(
      'select due_at as "dueAt" from sca_sessions where subject_id = $1',
      [approvalId],
    )
    const [row] = rows
    return row !== undefined && Temporal.Instant.compare(row.dueAt, gateway.context.clock.now()) <= 0
  }

  const post = (address: string) => fetch(address, { method: 'POST' })

  it('a notification triggers one poll of the bank at once, and fifteen trigger one in ten seconds', async () => {
    const { id, hint } = await left()
    expect(await isDue(id)).toBe(false)
    await post(hint)
    expect(await isDue(id)).toBe(true)
    await gateway.sweep()
    expect(await isDue(id)).toBe(false)
    for (let times = 0; times < 15; times += 1) {
      expect((await post(hint)).status).toBe(204)
    }
    expect(await isDue(id)).toBe(false)
    await gateway.context.database.pool.query(
      "update sca_sessions set bank_notified_at = bank_notified_at - interval '11 seconds'",
    )
    await post(hint)
    expect(await isDue(id)).toBe(true)
  })

  it('the notification URI is no callback for browsers, and the callback URI accepts no notification', async () => {
    const { id, hint, back } = await left()
    const notificationToken = new URL(hint).pathname.split('/').at(-1) ?? ''
    const backToken = new URL(back).pathname.split('/').at(-1) ?? ''
    expect((await fetch(back.replace(backToken, notificationToken))).status).toBe(404)
    await post(hint.replace(notificationToken, backToken))
    expect(await isDue(id)).toBe(false)
  })

  it('an order is polled when its bank notifies the URI of an authorisation that has ended', async () => {
    const payer = openPaymentDriver(gateway)
    const bank = nordicBank('FJORNO22')
    const { paymentId } = await payer.order(bank)
    expect(await payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
    const { pool } = gateway.context.database
    // Without a notification nothing is polled for an hour.
    const { rows } = await pool.query<{ bankPaymentId: string }>(
      'update payments set bank_notified_at = null, poll_at = $2::timestamptz + interval \'1 hour\' where id = $1 returning bank_payment_id as "bankPaymentId"',
      [paymentId, gateway.context.clock.now().toString()],
    )
    const [order] = rows
    await openSandboxBankControl(gateway.bank).postControl(`/payments/${order?.bankPaymentId}/settle`)
    await eventually(async () => {
      await gateway.sweep()
      expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Completed' })
    })
  })
})

describe('the statements of a signature', () => {
  /** Approve: 2. Page: 1. Redirect: 2. Three notifications: 3. Return: found, recorded, decided, ended. */
  const STATEMENTS_MAX = 12

  it(`a signature takes at most ${STATEMENTS_MAX} statements on the tables of SCA sessions`, async () => {
    const kari = await acceptedConsent(gateway)
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })
    const statements = recordStatements(gateway.context.database.pool)
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const { id: approvalId, sca } = await gateway.client.approvePayments({ ...kari, body })
    await visitBank(sca?.type === 'redirect' ? sca.url : '')
    const onScaTables = statements.filter((text) => /\bsca_(sessions|steps)\b/.test(text))
    expect(onScaTables.length).toBeLessThanOrEqual(STATEMENTS_MAX)
    expect(await gateway.client.getPaymentApproval({ ...kari, params: { approvalId } })).toMatchObject({
      status: 'ACCEPTED',
    })
  })

  /** The texts of the statements that are executed from now on, on any connection of the pool. */
  function recordStatements(pool: pg.Pool): readonly string[] {
    const statements: string[] = []
    const recorded = new WeakSet<pg.PoolClient>()
    pool.on('acquire', (client) => {
      if (!recorded.has(client)) {
        recorded.add(client)
        const query = client.query.bind(client)
        Object.assign(client, {
          query: (...parameters: [unknown]) => {
            statements.push(JSON.stringify(parameters[0]))
            return Reflect.apply(query, client, parameters)
          },
        })
      }
    })
    return statements
  }
})
