/** Tests that repeating a POST under one Idempotency-Key is safe: one effect and one response. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DomesticPayment } from '../../../../contract/payments/domestic-payment.ts'
import { composeServer } from '../../../../launcher/roles/compose-server.ts'
import { openSandboxBankControl } from '../../../testing/banks/sandbox-bank-control.ts'
import { loggedInAtBank } from '../../../testing/browser/bank-user.ts'
import { type Answer, sendRawRequest, UNKNOWN_ID, validHeaders } from '../../../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway/test-gateway.ts'
import {
  acceptedConsent,
  CALLBACK,
  domesticPayment,
  KARI,
  OLA,
  PSU,
} from '../../../testing/payments/sample-payments.ts'
import { idempotencyRetentionSweep } from './idempotency-retention.ts'

const PAYMENTS = ['POST', '/api/v2/payments'] as const
const CONSENTS = ['POST', '/api/v2/consents'] as const
const EIGHT = Array.from({ length: 8 })

let gateway: TestGateway
let headers: Record<string, string>
let consentId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  consentId = (await acceptedConsent(gateway)).consentId
  headers = await validHeaders(gateway, consentId)
})
afterEach(() => openSandboxBankControl(gateway.bank).clearFaults())
afterAll(() => gateway.close())

const initiate = (body: unknown, key?: string, changes: Record<string, string> = {}): Promise<Answer> =>
  sendRawRequest(gateway, PAYMENTS, { headers: { ...headers, 'idempotency-key': key, ...changes }, body })
const query = async (text: string, ...values: unknown[]) =>
  (await gateway.context.database.pool.query(text, values)).rows
const heldCount = async () => (await openSandboxBankControl(gateway.bank).payments()).length
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()
const consentRequested = (userId: string) => ({
  bic: 'FJORNO22',
  organizationNumber: '987654325',
  userId,
  callbackUrl: CALLBACK,
})

/** All responses; the bank withholds one call until the other requests have their responses. */
async function releasedAfterSeven(requests: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  let answered = 0
  for (const request of requests) {
    request.then(() => {
      answered += 1
    })
  }
  await expect.poll(() => answered).toBe(requests.length - 1)
  await openSandboxBankControl(gateway.bank).clearFaults()
  return await Promise.all(requests)
}

/** The text of a response, as it was sent. */
async function textOf(
  body: DomesticPayment,
  key: string,
  { at = gateway.url, prefer = 'x' }: { readonly at?: string; readonly prefer?: string } = {},
): Promise<{ text: string; replayed: string | null; link: string | null }> {
  const response = await fetch(`${at}/api/v2/payments`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key, prefer },
    body: JSON.stringify(body),
  })
  const [replayed, link] = ['idempotent-replayed', 'link'].map((name) => response.headers.get(name))
  return { text: await response.text(), replayed: replayed ?? null, link: link ?? null }
}

describe('equal requests under one key', () => {
  test('eight at once create one payment at the bank; the others get its id or wait for it', async () => {
    const before = await heldCount()
    await openSandboxBankControl(gateway.bank).holdNextCall('initiatePayment')
    const [body, key] = [domesticPayment(gateway), crypto.randomUUID()]
    const answers = await releasedAfterSeven(EIGHT.map(() => initiate(body, key)))
    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    expect(await heldCount()).toBe(before + 1)
    const winner = answers.find(({ status }) => status === 200)
    const paymentId = Object(winner?.body).paymentId
    expect(answers.filter(({ status }) => status === 409)).toEqual(
      Array.from({ length: 7 }, () => expect.objectContaining({ body: expect.objectContaining({ paymentId }) })),
    )
    const running = answers.filter(({ status }) => status === 409)
    expect(running.map(({ headers: sent }) => sent.get('retry-after'))).toEqual(running.map(() => '1'))
    expect(await initiate(body, key)).toMatchObject({ status: 200, body: { paymentId } })
    expect(await heldCount()).toBe(before + 1)
  })

  test('get the bytes of the first response, from another process on the same database too', async () => {
    const [body, key] = [domesticPayment(gateway), crypto.randomUUID()]
    const first = await textOf(body, key)
    expect(first.replayed).toBeNull()
    expect(await textOf(body, key)).toMatchObject({ text: first.text, replayed: 'true' })
    const other = await composeServer(gateway.context)
    const address = await other.listen({ host: '127.0.0.1', port: 0 })
    expect(await textOf(body, key, { at: address })).toMatchObject({ text: first.text, replayed: 'true' })
    await other.close()
  })

  test('are one also when their path is escaped differently and the ids are in capitals', async () => {
    const [body, key] = [domesticPayment(gateway), crypto.randomUUID()]
    const first = await textOf(body, key)
    const response = await fetch(`${gateway.url}/api/v2/p%61yments?x=1`, {
      method: 'POST',
      headers: {
        ...headers,
        'consent-id': consentId.toUpperCase(),
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    })
    expect(await response.text()).toBe(first.text)
    expect(response.headers.get('idempotent-replayed')).toBe('true')
    const cancel = async (id: string) =>
      await sendRawRequest(gateway, ['POST', `/onboarding/${id}/cancel`], {
        headers: { ...headers, 'idempotency-key': key },
      })
    const [once, again] = [await cancel(UNKNOWN_ID), await cancel(UNKNOWN_ID.toUpperCase())]
    expect(again.body).toEqual(once.body)
  })

  test('create one consent when the operation stores nothing of its own', async () => {
    const key = crypto.randomUUID()
    const withKey = {
      headers: { ...headers, 'consent-id': undefined, 'idempotency-key': key },
      body: consentRequested(OLA),
    }
    const before = await query('select id from consents')
    const answers = await Promise.all(EIGHT.map(() => sendRawRequest(gateway, CONSENTS, withKey)))
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ body }) => Object(body).id)).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(await query('select id from consents')).toHaveLength(before.length + 1)
  })
})

describe('one key for different requests', () => {
  test('is rejected with another body and with another consent', async () => {
    const [body, key] = [domesticPayment(gateway), crypto.randomUUID()]
    await initiate(body, key)
    const otherBody = await initiate({ ...body, dueDate: '2026-12-31' }, key)
    const { consentId: other } = await acceptedConsent(gateway, OLA)
    const otherConsent = await initiate(body, key, { 'consent-id': other })
    for (const answer of [otherBody, otherConsent]) {
      expect(answer).toMatchObject({
        status: 422,
        body: [{ code: 'InvalidRequest', path: '.' }],
      })
    }
  })

  test('is a separate key for another partner, and at another operation', async () => {
    const key = crypto.randomUUID()
    const other = await gateway.otherPartner()
    const call = { psu: PSU, idempotencyKey: key, body: consentRequested(KARI) }
    const mine = await gateway.client.createConsent(call)
    const theirs = await other.client.createConsent(call)
    expect(theirs.id).not.toBe(mine.id)
    const { consentId: mineNow } = await acceptedConsent(gateway)
    headers = { ...headers, 'consent-id': mineNow }
    expect(await initiate(domesticPayment(gateway), key)).toMatchObject({ status: 200 })
  })
})

describe('a stored response', () => {
  test('may be an error: the same response is returned even when the order would be accepted by now', async () => {
    const [body, key] = [domesticPayment(gateway, { dueDate: '2020-01-01' }), crypto.randomUUID()]
    const first = await initiate(body, key)
    const again = await initiate(body, key)
    expect(again).toMatchObject({ status: 422, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('of an error has the form that the repeated request asks for, byte for byte the same for the same form', async () => {
    const [body, key] = [domesticPayment(gateway, { dueDate: '2020-01-01' }), crypto.randomUUID()]
    const forms = [{}, { prefer: 'errors=detailed' }, {}, { prefer: 'errors=detailed' }]
    const answers = []
    for (const form of forms) {
      answers.push(await textOf(body, key, form))
    }
    const [first, detailed, ...again] = answers
    expect(answers.map(({ replayed }) => replayed)).toEqual([null, 'true', 'true', 'true'])
    expect(again.map(({ text }) => text)).toEqual([first?.text, detailed?.text])
    expect(Object.keys(JSON.parse(first?.text ?? '')[0])).toEqual(['code', 'reason', 'path'])
    expect(JSON.parse(detailed?.text ?? '')).toMatchObject([{ value: '2020-01-01', docs: expect.any(String) }])
    expect(new Set(answers.map(({ link }) => link))).toEqual(
      new Set([`<${gateway.config.baseUrl}/docs/errors#InvalidDueDate>; rel="help"`]),
    )
  })

  test('of an error names the first request in its header as in its body', async () => {
    const options = {
      headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
      body: { payments: [UNKNOWN_ID], callbackUrl: 'http://127.0.0.1/back' },
    }
    const approve = async () => await sendRawRequest(gateway, ['POST', '/api/v2/payments/approve'], options)
    const [first, again] = [await approve(), await approve()]
    const svcRequestId = first.headers.get('svc-request-id')
    expect(again).toMatchObject({ status: 404, body: { svcRequestId } })
    expect(again.headers.get('svc-request-id')).toBe(svcRequestId)
  })

  test.each([
    ['401, without a valid token', () => ({ authorization: 'Bearer nobody' }), 401],
    [
      '503, without a bank',
      () =>
        openSandboxBankControl(gateway.bank).injectFault({
          operation: 'initiatePayment',
          effect: 'status',
          status: 503,
          times: 1,
        }),
      503,
    ],
  ])('is not %s', async (_what, prepare, status) => {
    const [body, key] = [domesticPayment(gateway), crypto.randomUUID()]
    const changes = (await prepare()) ?? {}
    const first = await initiate(body, key, changes)
    expect(first.status).toBe(status)
    const again = await initiate(body, key)
    expect(again.headers.get('idempotent-replayed')).toBeNull()
    expect(again.status).toBe(Object(first.body).paymentId === undefined ? 200 : 409)
  })

  test('is none that depends on the state of what the request names: once that has changed, the request succeeds', async () => {
    const send = async (path: string, body: object, key: string) =>
      await sendRawRequest(gateway, ['POST', path], { headers: { ...headers, 'idempotency-key': key }, body })
    const initiated = await initiate(domesticPayment(gateway))
    const paymentId: string = Object(initiated.body).paymentId
    const [{ id: bankId }] = await query('select bank_payment_id as id from payments where id = $1', paymentId)
    const setOutcome = (outcome: string, id: string | null) =>
      query('update payments set outcome = $2, bank_payment_id = $3 where id = $1', paymentId, outcome, id)
    for (const [path, named, status] of [
      ['/api/v2/payments/approve', { payments: [paymentId] }, 422],
      ['/api/v2/payments/cancel', { paymentId }, 409],
    ] as const) {
      const [body, key] = [{ ...named, callbackUrl: CALLBACK }, crypto.randomUUID()]
      await setOutcome('unknown', null)
      expect(await send(path, body, key)).toMatchObject({ status })
      await setOutcome('known', bankId)
      expect(await send(path, body, key)).toMatchObject({ status: 200 })
    }
  })

  test('is no rejection because of a session at the bank that ends', async () => {
    const initiated = await initiate(domesticPayment(gateway))
    const body = { payments: [Object(initiated.body).paymentId], callbackUrl: CALLBACK }
    const approve = (key: string) =>
      sendRawRequest(gateway, ['POST', '/api/v2/payments/approve'], {
        headers: { ...headers, 'idempotency-key': key },
        body,
      })
    const first = await approve(crypto.randomUUID())
    await loggedInAtBank(Object(first.body).sca.url, KARI)
    const key = crypto.randomUUID()
    const busy = { status: 400, body: { failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' } }
    expect(await approve(key)).toMatchObject(busy)
    expect(await approve(key)).toMatchObject(busy)
    const params = { approvalId: Object(first.body).id }
    await gateway.client.abandonPaymentApproval({ consentId: headers['consent-id'] ?? '', params })
    expect(await approve(key)).toMatchObject({ status: 200, body: { status: 'STARTED' } })
  })

  test('is encrypted: nothing of an order can be read in the table', async () => {
    const [body, key] = [domesticPayment(gateway), crypto.randomUUID()]
    expect(await initiate(body, key)).toMatchObject({ status: 200 })
    const rejectedKey = crypto.randomUUID()
    await initiate({ ...body, from: { ...body.from, account: { type: 'bban', bban: '80501100018' } } }, rejectedKey)
    const rows = await query(
      "select encode(answer, 'escape') as answer, row_to_json(k)::text as row from idempotency k where key = any($1)",
      [key, rejectedKey],
    )
    expect(rows).toHaveLength(2)
    for (const { answer, row } of rows) {
      // Whole numbers: ciphertexts and ids contain digits, too, of which four match by chance.
      expect(answer).not.toMatch(/paymentStatus|Unsigned|InvalidBBAN|modulus|8050\d{7}/)
      expect(row).not.toMatch(/8050\d{7}|Nordlys|Granli|1250\.00|125000/)
    }
  })

  test('is deleted after 30 days, and not before; one with an unknown outcome never', async () => {
    const keys = { old: crypto.randomUUID(), young: crypto.randomUUID(), open: crypto.randomUUID() }
    for (const key of Object.values(keys)) {
      await initiate(domesticPayment(gateway), key)
    }
    const age = (key: string, days: number) =>
      query(
        'update idempotency set started_at = $2, outcome_unknown = $3 where key = $1',
        key,
        gateway.context.clock
          .real()
          .subtract({ hours: 24 * days })
          .toString(),
        key === keys.open,
      )
    await age(keys.old, 31)
    await age(keys.open, 31)
    await age(keys.young, 29)
    await idempotencyRetentionSweep(gateway.context).run(100)
    const left = await query('select key from idempotency where key = any($1)', Object.values(keys))
    expect(left.map(({ key }) => key).sort()).toEqual([keys.young, keys.open].sort())
  })
})

describe('a key whose process crashed before it created anything', () => {
  test('is locked for five minutes, then free again', async () => {
    const key = crypto.randomUUID()
    const call = {
      headers: { ...headers, 'consent-id': undefined, 'idempotency-key': key },
      body: consentRequested(KARI),
    }
    expect(await sendRawRequest(gateway, CONSENTS, call)).toMatchObject({ status: 200 })
    const diedAgo = (minutes: number) =>
      query(
        'update idempotency set status = null, answer = null, finished_at = null, started_at = $2 where key = $1',
        key,
        gateway.context.clock.real().subtract({ minutes }).toString(),
      )
    await diedAgo(4)
    expect(await sendRawRequest(gateway, CONSENTS, call)).toMatchObject({ status: 409 })
    await diedAgo(6)
    const answers = await Promise.all(EIGHT.map(() => sendRawRequest(gateway, CONSENTS, call)))
    const fresh = answers.filter(({ status, headers: sent }) => status === 200 && !sent.has('idempotent-replayed'))
    expect(fresh).toHaveLength(1)
  })
})

describe('equal orders without a key', () => {
  test('eight at once, while the bank is slow: one is accepted, the others get an error that names it', async () => {
    const before = await heldCount()
    await openSandboxBankControl(gateway.bank).holdNextCall('initiatePayment')
    const body = domesticPayment(gateway)
    const answers = await releasedAfterSeven(EIGHT.map(() => initiate(body)))
    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    expect(new Set(answers.map(({ body: answered }) => Object(answered).paymentId)).size).toBe(1)
    expect(await heldCount()).toBe(before + 1)
  })

  test('one after the other: the second is created with a warning that names the first, for 24 hours', async () => {
    /** Warnings of another kind depend on the hour at which the tests run. */
    const duplicates = (answer: { readonly body: unknown }) =>
      [Object(answer.body).warnings ?? []].flat().filter(({ code }) => code === 'PossibleDuplicate')
    const body = domesticPayment(gateway)
    const first = await initiate(body)
    expect(duplicates(first)).toEqual([])
    const { paymentId } = Object(first.body)
    const second = await initiate(body)
    expect(second.status).toBe(200)
    expect(duplicates(second)).toMatchObject([{ paymentId, path: '.metadata.endToEndId' }])
    for (const status of ['Rejected', 'Cancelled']) {
      await query('update payments set status = $2 where end_to_end_id = $1', body.metadata.endToEndId, status)
      const again = await initiate(body)
      expect(duplicates(again)).toEqual([])
      await query('delete from payments where id = $1', Object(again.body).paymentId)
    }
    await query("update payments set status = 'Unsigned' where end_to_end_id = $1", body.metadata.endToEndId)
    expect(duplicates(await initiate(body))).toHaveLength(1)
    const long = gateway.context.clock.now().subtract({ hours: 25 }).toString()
    await query('update payments set created_at = $2 where end_to_end_id = $1', body.metadata.endToEndId, long)
    expect(duplicates(await initiate(body))).toEqual([])
  })
})
