/** Tests which cancellations are rejected, with which messages, and that a rejected one leaves nothing behind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCompany } from '../../companies/add-company.ts'
import { addSecondBank } from '../../testing/banks/add-second-bank.ts'
import { countSideEffects, sendRawRequest, UNKNOWN_ID, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { forEachRow } from '../../testing/for-each-row.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, OLA } from '../../testing/payments/sample-payments.ts'

const OPERATION = ['POST', '/api/v2/payments/cancel'] as const
const VESTAVIND = { countryCode: 'NO', organisationNumber: '987654333', name: 'Vestavind Eiendom AS' }
const INGRID_WHO_MAY_ONLY_SEE = '03835067890'

let gateway: TestGateway
let headers: Record<string, string>
let ours: string
let theirs: string
beforeAll(async () => {
  gateway = await startTestGateway()
  await addSecondBank(gateway)
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
  ours = await payment()
  const other = await gateway.otherPartner()
  const theirConsent = await acceptedConsent(other, OLA)
  theirs = (await other.client.initiateDomesticPayment({ ...theirConsent, body: domesticPayment(gateway) })).paymentId
})
afterAll(() => gateway.close())

async function payment(): Promise<string> {
  const { body } = await sendRawRequest(gateway, ['POST', '/api/v2/payments'], {
    headers,
    body: domesticPayment(gateway),
  })
  return String(Object(body).paymentId)
}

async function sql(text: string, ...values: unknown[]) {
  return (await gateway.context.database.pool.query(text, values)).rows
}

async function everything(): Promise<object> {
  const [counted] = await sql('select (select count(*) from cancellations) as n, (select count(*) from audit_log) as a')
  return { ...(await countSideEffects(gateway)), ...counted }
}

async function send(body: unknown, changedHeaders: Record<string, string | undefined> = {}) {
  return await sendRawRequest(gateway, OPERATION, { headers: { ...headers, ...changedHeaders }, body })
}

async function rejected(...sent: Parameters<typeof send>) {
  const before = await everything()
  const answer = await send(...sent)
  expect(await everything()).toEqual(before)
  return answer
}

describe('a body with an error', () => {
  const WRONG: readonly [what: string, body: () => object, path: string, reason: string | RegExp][] = [
    ['no payment', () => ({}), '.paymentId', 'is required'],
    ['a payment that is not text', () => ({ paymentId: [ours] }), '.paymentId', 'must be a string'],
    ['an empty payment', () => ({ paymentId: '' }), '.paymentId', /must not be empty/],
    ['no callbackUrl', () => ({ paymentId: ours, callbackUrl: undefined }), '.callbackUrl', 'is required'],
    ['no URL', () => ({ paymentId: ours, callbackUrl: '//back' }), '.callbackUrl', /must be a URI/],
    [
      'a URL with credentials',
      () => ({ paymentId: ours, callbackUrl: 'https://kari:1234@erp.example/back' }),
      '.callbackUrl',
      'must not contain credentials',
    ],
    [
      'http to another machine',
      () => ({ paymentId: ours, callbackUrl: 'http://erp.example' }),
      '.callbackUrl',
      /use https/,
    ],
    ['U+0000', () => ({ paymentId: `${ours}\0` }), '.paymentId', 'contains the character U+0000'],
    [
      'an unknown SCA method',
      () => ({ paymentId: ours, preferredScaMethod: 'qr' }),
      '.preferredScaMethod',
      /must be one of/,
    ],
  ]

  test('is rejected with the reason at its path', async () => {
    const before = await everything()
    await forEachRow(
      WRONG,
      ([what]) => what,
      async ([_what, body, path, reason]) => {
        const answer = await send({ callbackUrl: CALLBACK, ...body() })
        expect(answer.status).toBe(422)
        const matching = typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason)
        expect(answer.body).toMatchObject([{ code: 'InvalidRequest', reason: matching, path }])
      },
    )
    expect(await everything()).toEqual(before)
  })

  test('returns all errors at once, in the order of the body', async () => {
    const { body } = await rejected({ preferredScaMethod: 'Fax', callbackUrl: 'back', paymentId: 7 })
    expect(body).toMatchObject([{ path: '.preferredScaMethod' }, { path: '.callbackUrl' }, { path: '.paymentId' }])
  })

  test.each(['', '{', '[]', '"x"', 'null'])('is rejected for being %j', async (body) => {
    expect([400, 422]).toContain((await rejected(body)).status)
  })
})

describe('headers', () => {
  test('without a consent: INVALID_CONSENT', async () => {
    const answer = await rejected({ paymentId: ours, callbackUrl: CALLBACK }, { 'consent-id': undefined })
    expect(answer).toMatchObject({ status: 400, body: { failure: 'INVALID_CONSENT' } })
  })

  test.each([
    ['user', ['psu-ip-address', 'psu-user-agent'], null],
    ['address', ['psu-ip-address'], null],
    ['user agent', ['psu-user-agent'], ''],
  ])('may omit the %s', async (_what, omitted, agent) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !omitted.includes(name)))
    const body = { paymentId: await payment(), callbackUrl: CALLBACK }
    const answer = await sendRawRequest(gateway, OPERATION, { headers: sent, body })
    expect(answer).toMatchObject({ status: 200, body: { cancellationRequestStatus: 'ACCEPTED' } })
    const rows = await sql('select ip_address, user_agent from cancellations where id = $1', Object(answer.body).id)
    expect(rows).toEqual([{ ip_address: agent === null ? null : headers['psu-ip-address'], user_agent: agent }])
  })
})

describe('a payment that does not exist: 404', () => {
  test.each<[string, () => string]>([
    ['an unknown id', () => UNKNOWN_ID],
    ['not an id', () => 'INV-20455'],
    ['something very long', () => 'x'.repeat(10_000)],
    ['another partner’s', () => theirs],
  ])('%s', async (_what, id) => {
    const answer = await rejected({ paymentId: id(), callbackUrl: CALLBACK })
    expect(answer).toMatchObject({ status: 404, body: { message: 'There is no payment with this id' } })
    expect(answer.body).not.toHaveProperty('failure')
  })
})

test('an id in capital letters names the same payment', async () => {
  const body = { paymentId: (await payment()).toUpperCase(), callbackUrl: CALLBACK }
  expect(await sendRawRequest(gateway, OPERATION, { headers, body })).toMatchObject({
    status: 200,
    body: { cancellationRequestStatus: 'ACCEPTED' },
  })
})

describe('a payment that the consent does not cover', () => {
  test('at another bank: 422', async () => {
    // Another user's, because the bank ends the first consent otherwise.
    const { consentId } = await acceptedConsent(gateway, OLA, { bic: 'HAVNNO22' })
    const reason = expect.stringContaining('is a payment at FJORNO22, but the consent is at HAVNNO22')
    expect(await rejected({ paymentId: ours, callbackUrl: CALLBACK }, { 'consent-id': consentId })).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest', reason, path: '.paymentId' }],
    })
  })

  test('of another company: 422', async () => {
    const [partner] = await sql("select id from partners where name = 'Demo partner'")
    await addCompany(gateway.context, 'test', { ...VESTAVIND, partnerId: String(partner.id) })
    const ofOther = { organizationNumber: VESTAVIND.organisationNumber }
    const { consentId } = await acceptedConsent(gateway, KARI, ofOther)
    const reason = expect.stringContaining('belongs to another company than the consent')
    expect(await rejected({ paymentId: ours, callbackUrl: CALLBACK }, { 'consent-id': consentId })).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest', reason, path: '.paymentId' }],
    })
  })

  test('from an account that is not on it: ACCESS_DENIED', async () => {
    const { consentId } = await acceptedConsent(gateway, INGRID_WHO_MAY_ONLY_SEE)
    await sql('delete from consent_accounts where consent_id = $1', consentId)
    const answer = await rejected({ paymentId: ours, callbackUrl: CALLBACK }, { 'consent-id': consentId })
    expect(answer).toMatchObject({ status: 400, body: { failure: 'ACCESS_DENIED' } })
  })
})

test('a payment with an unknown outcome: 409, which names it', async () => {
  const unknown = await payment()
  await sql("update payments set outcome = 'unknown', bank_payment_id = null where id = $1", unknown)
  expect(await rejected({ paymentId: unknown, callbackUrl: CALLBACK })).toMatchObject({
    status: 409,
    body: { paymentId: unknown, message: expect.stringMatching(/It is unknown whether .* so it cannot be cancelled/) },
  })
})

describe('a cancellation', () => {
  test.each(['not-an-id', '%00', UNKNOWN_ID])('with the id %s does not exist: 404', async (id) => {
    expect(await sendRawRequest(gateway, ['GET', `${OPERATION[1]}/${id}`], { headers })).toMatchObject({ status: 404 })
  })

  test('of another partner does not exist: 404', async () => {
    const other = await gateway.otherPartner()
    const consented = await acceptedConsent(other, INGRID_WHO_MAY_ONLY_SEE)
    const body = { paymentId: await payment(), callbackUrl: CALLBACK }
    const { id } = await gateway.client.cancelPayment({ consentId: headers['consent-id'] ?? '', body })
    await expect(other.client.getPaymentCancellation({ ...consented, params: { id } })).rejects.toMatchObject({
      status: 404,
    })
  })
})
