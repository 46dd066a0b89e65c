/** Tests which payments may not be approved, and that a rejected approval leaves nothing behind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCompany } from '../companies/add-company.ts'
import { addSecondBank } from '../testing/banks/add-second-bank.ts'
import { countSideEffects, sendRawRequest, UNKNOWN_ID, validHeaders } from '../testing/contract/send-raw-request.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, OLA } from '../testing/payments/sample-payments.ts'

const OPERATION = ['POST', '/api/v2/payments/approve'] as const
const VESTAVIND = { countryCode: 'NO', organisationNumber: '987654333', name: 'Vestavind Eiendom AS' }
const VESTAVIND_ACCOUNT = '80501100106'
const INGRID_WHO_MAY_ONLY_SEE = '03835067890'

let gateway: TestGateway
let headers: Record<string, string>
/** Payments of the demo company at Fjordbanken, each unsigned. */
let first: string
let second: string
let theirs: string
beforeAll(async () => {
  gateway = await startTestGateway()
  await addSecondBank(gateway)
  const { consentId } = await acceptedConsent(gateway)
  headers = await validHeaders(gateway, consentId)
  first = await payment()
  second = await payment()
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

async function send(body: object, changedHeaders: Record<string, string> = {}) {
  return await sendRawRequest(gateway, OPERATION, {
    headers: { ...headers, ...changedHeaders },
    body: { callbackUrl: CALLBACK, ...body },
  })
}

async function refused(...sent: Parameters<typeof send>) {
  const before = await countSideEffects(gateway)
  const answer = await send(...sent)
  expect(await countSideEffects(gateway)).toEqual(before)
  return answer
}

describe('a body with an error', () => {
  const WRONG: readonly [what: string, body: () => object, path: string, reason: string | RegExp][] = [
    ['no payments', () => ({}), '.payments', 'is required'],
    ['an empty list', () => ({ payments: [] }), '.payments', /must not be empty/],
    ['one id instead of a list', () => ({ payments: first }), '.payments', 'must be a list'],
    ['an id that is a number', () => ({ payments: [first, 7] }), '.payments[1]', 'must be a string'],
    [
      'a payment twice',
      () => ({ payments: [first, second, first] }),
      '.payments',
      /must not contain duplicate elements/,
    ],
    [
      'a payment twice, once in upper case',
      () => ({ payments: [first, second, first.toUpperCase()] }),
      '.payments[2]',
      'is the same payment as .payments[0]',
    ],
    [
      'eleven payments',
      () => ({ payments: Array.from({ length: 11 }, (_, n) => `${UNKNOWN_ID.slice(0, -2)}${n + 10}`) }),
      '.payments[10]',
      /at most 10 may be approved together/,
    ],
    ['no callbackUrl', () => ({ payments: [first], callbackUrl: undefined }), '.callbackUrl', 'is required'],
    [
      'a callbackUrl that is no URI',
      () => ({ payments: [first], callbackUrl: '//back' }),
      '.callbackUrl',
      /must be a URI/,
    ],
    [
      'http to another machine',
      () => ({ payments: [first], callbackUrl: 'http://erp.example' }),
      '.callbackUrl',
      /http:..erp.example is not/,
    ],
    [
      'a callbackUrl with credentials',
      () => ({ payments: [first], callbackUrl: 'https://kari:secret@erp.example/back' }),
      '.callbackUrl',
      'must not contain credentials',
    ],
    [
      'U+0000 in callbackUrl',
      () => ({ payments: [first], callbackUrl: `${CALLBACK}\0` }),
      '.callbackUrl',
      'contains the character U+0000',
    ],
    [
      'an unknown SCA method',
      () => ({ payments: [first], preferredScaMethod: 'redirect' }),
      '.preferredScaMethod',
      /must be one of/,
    ],
  ]

  test('is rejected with the reason at its path', async () => {
    const before = await countSideEffects(gateway)
    await forEachRow(
      WRONG,
      ([what]) => what,
      async ([_what, body, path, reason]) => {
        const answer = await send(body())
        expect(answer.status).toBe(422)
        const matching = typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason)
        expect(answer.body).toMatchObject([{ code: 'InvalidRequest', reason: matching, path }])
      },
    )
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test('returns all errors at once, in the order of the body', async () => {
    const body = { preferredScaMethod: 'Fax', callbackUrl: 'back', payments: [first, 7] }
    const before = await countSideEffects(gateway)
    const answer = await sendRawRequest(gateway, OPERATION, { headers, body })
    expect(answer.body).toMatchObject([
      { path: '.preferredScaMethod' },
      { path: '.callbackUrl' },
      { path: '.payments[1]' },
    ])
    expect(await countSideEffects(gateway)).toEqual(before)
  })
})

describe('a payment that does not exist returns 404 with its path', () => {
  test.each<[string, () => string]>([
    ['an unknown id', () => UNKNOWN_ID],
    ['not an id', () => 'INV-20455'],
    ['another partner’s', () => theirs],
  ])('%s', async (_what, id) => {
    const answer = await refused({ payments: [first, id()] })
    expect(answer).toMatchObject({ status: 404, body: { message: 'There is no payment with the id at .payments[1]' } })
    expect(answer.body).not.toHaveProperty('failure')
  })
})

test('of several payments that do not exist the first is named, whatever other errors there are', async () => {
  const answer = await refused({ payments: [first, UNKNOWN_ID, theirs, 'INV-1'] })
  expect(answer).toMatchObject({ status: 404, body: { message: 'There is no payment with the id at .payments[1]' } })
})

test('a list without a single id returns 404 too', async () => {
  const answer = await refused({ payments: ['INV-1', 'INV-2'] })
  expect(answer).toMatchObject({ status: 404, body: { message: 'There is no payment with the id at .payments[0]' } })
})

describe('payments that cannot be approved together', () => {
  let consentAtOther: string
  let consentOfOther: string
  beforeAll(async () => {
    const { rows } = await gateway.context.database.pool.query("select id from partners where name = 'Demo partner'")
    await addCompany(gateway.context, 'test', { ...VESTAVIND, partnerId: String(rows[0].id) })
    const ofOther = { organizationNumber: VESTAVIND.organisationNumber }
    consentOfOther = (await acceptedConsent(gateway, KARI, ofOther)).consentId
    // Another user's, because the bank ends the first consent otherwise.
    consentAtOther = (await acceptedConsent(gateway, OLA, { bic: 'HAVNNO22' })).consentId
  })

  test('with the bank of the consent: 422 at each of them', async () => {
    const reason = expect.stringContaining('is a payment at FJORNO22, but the consent is at HAVNNO22')
    expect(await refused({ payments: [first, second] }, { 'consent-id': consentAtOther })).toMatchObject({
      status: 422,
      body: [0, 1].map((n) => ({ code: 'InvalidRequest', reason, path: `.payments[${n}]` })),
    })
  })

  test('with the company of the consent: 422 at the one that does not', async () => {
    const { from, ...order } = domesticPayment(gateway)
    const account = { type: 'bban', bban: VESTAVIND_ACCOUNT }
    const theirOrder = { ...order, from: { ...from, account, organizationNumber: '987654333' } }
    const theirHeaders = { ...headers, 'consent-id': consentOfOther }
    const { status, body } = await sendRawRequest(gateway, ['POST', '/api/v2/payments'], {
      headers: theirHeaders,
      body: theirOrder,
    })
    expect(status).toBe(200)
    const reason = expect.stringContaining('belongs to another company than the consent')
    expect(await refused({ payments: [first, Object(body).paymentId] })).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest', reason, path: '.payments[1]' }],
    })
  })
})

describe('a payment that is not open for signing', () => {
  async function inStatus(transactionStatus: string): Promise<string> {
    const paymentId = await payment()
    const { rows } = await gateway.context.database.pool.query('select bank_payment_id from payments where id = $1', [
      paymentId,
    ])
    await fetch(`${gateway.bank.pagesUrl}/control/payments/${rows[0].bank_payment_id}/status`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ transactionStatus }),
    })
    await gateway.context.database.pool.query('update payments set poll_at = $2 where id = $1', [
      paymentId,
      gateway.context.clock.now().toString(),
    ])
    // The bank's notification may arrive during the poll; then that poll is dropped, and the next one counts.
    await eventually(async () => {
      const { status } = await gateway.client.getPaymentStatus({ params: { paymentId } })
      expect(status).not.toBe('Unsigned')
    })
    return paymentId
  }

  test.each([
    ['ACSP', 'InProgress'],
    ['ACSC', 'Completed'],
    ['RJCT', 'Rejected'],
    ['CANC', 'Cancelled'],
  ])('that is %s at the bank: 422 at its path, with the status', async (transactionStatus, status) => {
    const answer = await refused({ payments: [first, await inStatus(transactionStatus)] })
    const reason = expect.stringContaining(`cannot be signed: it is ${status}`)
    expect(answer).toMatchObject({ status: 422, body: [{ code: 'InvalidRequest', reason, path: '.payments[1]' }] })
  })

  test('with an unknown outcome at the bank: 422 at its path', async () => {
    const unknown = await payment()
    await gateway.context.database.pool.query(
      "update payments set outcome = 'unknown', bank_payment_id = null where id = $1",
      [unknown],
    )
    const reason = expect.stringContaining('cannot be signed: it is unknown whether the bank accepted it')
    expect(await refused({ payments: [unknown, first] })).toMatchObject({
      status: 422,
      body: [{ reason, path: '.payments[0]' }],
    })
  })
})

describe('the user of the consent', () => {
  test('whose consent does not include the debtor account: ACCESS_DENIED', async () => {
    const { consentId } = await acceptedConsent(gateway, INGRID_WHO_MAY_ONLY_SEE)
    await gateway.context.database.pool.query('delete from consent_accounts where consent_id = $1', [consentId])
    const answer = await refused({ payments: [first] }, { 'consent-id': consentId })
    expect(answer).toMatchObject({ status: 400, body: { failure: 'ACCESS_DENIED' } })
  })
})

describe('the consent', () => {
  test('that is not accepted yet approves nothing: INVALID_CONSENT', async () => {
    const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: OLA, callbackUrl: CALLBACK }
    const { id } = await gateway.client.createConsent({ psu: { ipAddress: '127.0.0.1', userAgent: 'x' }, body })
    const answer = await refused({ payments: [first] }, { 'consent-id': id })
    expect(answer).toMatchObject({ status: 400, body: { failure: 'INVALID_CONSENT' } })
  })
})

describe('a payment that is being cancelled', () => {
  test('with a signature is not approved meanwhile: AUTHENTICATION_TEMPORARY_UNAVAILABLE', async () => {
    const shared = await payment()
    const { pool } = gateway.context.database
    // The rows of an SCA session of its cancellation, which at this bank only signed payments need.
    await pool.query(
      `insert into sca_sessions (partner_id, id, kind, subject_id, consent_id, bic, callback_url, link_hash, status,
         created_at, expires_at, step_seconds)
       select partner_id, id, 'cancellation', id, consent_id, bic, $2, '', 'waiting', $3, $3, 600
       from payments where id = $1`,
      [shared, CALLBACK, gateway.context.clock.now().add({ minutes: 5 }).toString()],
    )
    await pool.query(
      `insert into sca_steps (partner_id, sca_session_id, position, target_type, target_id, state, shown)
       select partner_id, id, 0, 'cancellation', id, 'pending', '[]' from payments where id = $1`,
      [shared],
    )
    try {
      const answer = await refused({ payments: [shared] })
      expect(answer).toMatchObject({ status: 400, body: { failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' } })
    } finally {
      await pool.query('delete from sca_steps where sca_session_id = $1', [shared])
      await pool.query('delete from sca_sessions where id = $1', [shared])
    }
  })
})

describe('an approval', () => {
  test.each(['not-an-id', '%00', UNKNOWN_ID])('with the id %s does not exist: 404', async (id) => {
    expect(await sendRawRequest(gateway, ['GET', `${OPERATION[1]}/${id}`], { headers })).toMatchObject({ status: 404 })
  })

  test('of another partner does not exist: 404', async () => {
    const other = await gateway.otherPartner()
    const consented = await acceptedConsent(other, INGRID_WHO_MAY_ONLY_SEE)
    const { id } = await gateway.client.approvePayments({
      consentId: headers['consent-id'] ?? '',
      psu: { ipAddress: '127.0.0.1', userAgent: 'x' },
      body: { payments: [first], callbackUrl: CALLBACK },
    })
    const params = { approvalId: id }
    await expect(other.client.getPaymentApproval({ ...consented, params })).rejects.toMatchObject({ status: 404 })
  })
})
