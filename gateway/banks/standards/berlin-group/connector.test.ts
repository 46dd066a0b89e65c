/** Shows what the connector sends about user and consent, and how it handles invalid answers. */
import { describe, expect, test } from 'vitest'
import { BankUnreachable } from '../../connector/bank-error.ts'
import type { BankCaller, Connector } from '../../connector/connector.ts'
import type { BankRequest, BankResponse } from '../../connector/connector-dependencies.ts'
import { connectorTools } from '../../testing/connector-tools.ts'
import {
  SAMPLE_AUTHORISATION_REQUEST,
  SAMPLE_RETURN_URLS,
  sampleCaller,
  sampleOrder,
  sampleSubmittedOrder,
} from '../../testing/samples.ts'
import { berlinGroup } from './connector.ts'
import { dialectOf } from './dialect.ts'

const TPP_IP_ADDRESS = '192.0.2.99'
const REQUEST_ID = '019ab1c2-0000-7000-8000-000000000001'
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const REQUEST = { requestId: REQUEST_ID, notification: SAMPLE_RETURN_URLS.notification }
const TERMS = { requestId: REQUEST_ID, validUntil: Temporal.PlainDate.from('2027-05-20') }
const CREATED = { transactionStatus: 'RCVD', paymentId: 'p1', _links: { startAuthorisation: { href: '/x' } } }
const STARTED = {
  scaStatus: 'received',
  authorisationId: 'a1',
  _links: { scaRedirect: { href: 'https://sign.fjordbanken.example/sca/1' }, unknown: 'thing' },
}

describe('of the PSU context', () => {
  test('everything is sent when an order is submitted', async () => {
    const { sent } = await requested(CREATED, (c, caller) => payments(c).initiate(caller, sampleOrder(), REQUEST))
    expect(sent).toMatchObject({
      operation: 'initiatePayment',
      method: 'POST',
      url: 'https://xs2a.fjordbanken.example/psd2/v1/payments/norwegian-domestic-credit-transfers',
    })
    expect(sent?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-request-id': REQUEST_ID,
      'psu-ip-address': '192.0.2.10',
      'psu-user-agent': 'Mozilla/5.0',
      'psu-accept-language': 'nb',
      'psu-id': '01815012345',
      'psu-corporate-id': '987654325',
      'consent-id': 'consent-1',
      'tpp-explicit-authorisation-preferred': 'true',
      'tpp-redirect-uri': 'https://localhost/',
      'tpp-nok-redirect-uri': 'https://localhost/',
      'tpp-notification-uri': SAMPLE_RETURN_URLS.notification,
      'tpp-notification-content-preferred': 'status=SCA,PROCESS,LAST',
    })
  })

  test('nothing is sent without the user, and nothing in its place', async () => {
    const away = { psu: null }
    const { sent } = await requested({ transactionStatus: 'RCVD' }, (c, caller) =>
      payments(c).read({ ...caller, ...away }, sampleSubmittedOrder(), { signed: false }),
    )
    expect(Object.keys(sent?.headers ?? {}).sort()).toEqual(['accept', 'x-request-id'])
    const accounts = await requested({ accounts: [] }, (c, caller) => c.accounts?.list({ ...caller, ...away }))
    expect(Object.keys(accounts.sent?.headers ?? {}).sort()).toEqual(['accept', 'consent-id', 'x-request-id'])
  })

  test('only the orderer is sent when a job submits an order, from our own address', async () => {
    const away = { psu: null }
    const { sent } = await requested(CREATED, (c, caller) =>
      payments(c).initiate({ ...caller, ...away }, sampleOrder(), REQUEST),
    )
    const ofUser = Object.entries(sent?.headers ?? {}).filter(([name]) => /^(psu-|consent-id)/.test(name))
    expect(Object.fromEntries(ofUser)).toEqual({
      'psu-ip-address': TPP_IP_ADDRESS,
      'psu-id': '01815012345',
      'psu-corporate-id': '987654325',
      'consent-id': 'consent-1',
    })
  })

  test('our own name is sent to a bank that requires a user agent with every order', async () => {
    const { sent } = await requested(CREATED, (c, caller) => {
      const dialect = { ...dialectOf(caller.bank.profile), unattendedInitiationHeaders: { 'PSU-User-Agent': 'Havn' } }
      const bank = { ...caller.bank, profile: { ...caller.bank.profile, dialect } }
      return payments(c).initiate({ ...caller, bank, psu: null }, sampleOrder(), REQUEST)
    })
    expect(sent?.headers['psu-user-agent']).toBe('Havn')
  })

  test('a partner can recognise the session, but not the user', async () => {
    const headers = { 'psu-id': '02825054321', 'psu-corporate-id': '1', 'psu-http-method': 'GET', 'consent-id': 'x' }
    const psu = { ipAddress: '192.0.2.10', userAgent: 'x', headers }
    const { sent } = await requested(CREATED, (c, caller) =>
      payments(c).initiate({ ...caller, psu }, sampleOrder(), REQUEST),
    )
    expect(sent?.headers).toMatchObject({
      'psu-id': '01815012345',
      'psu-corporate-id': '987654325',
      'psu-http-method': 'GET',
      'consent-id': 'consent-1',
    })
  })

  test.each([
    [
      'of a version that every bank supports',
      '99435c7e-ad88-49ec-a2ad-99ddcb1f5555',
      '99435c7e-ad88-49ec-a2ad-99ddcb1f5555',
    ],
    ['of version 1', '99435C7E-AD88-19EC-A2AD-99DDCB1F5555', '99435C7E-AD88-19EC-A2AD-99DDCB1F5555'],
    ['of version 7', '019ab1c2-0000-7000-8000-00000000000a', 'd4947609-e28e-509d-85a2-c953b5d8dec3'],
    ['of version 7 in upper case', '019AB1C2-0000-7000-8000-00000000000A', 'd4947609-e28e-509d-85a2-c953b5d8dec3'],
    ['that names no device', '00000000-0000-0000-0000-000000000000', undefined],
    ['that is no UUID', 'my phone', undefined],
  ])('a device id %s reaches the bank in a form that it accepts', async (_what, given, sentOn) => {
    const psu = { ipAddress: '192.0.2.10', userAgent: 'x', headers: { 'psu-device-id': given } }
    const { sent } = await requested(CREATED, (c, caller) =>
      payments(c).initiate({ ...caller, psu }, sampleOrder(), REQUEST),
    )
    expect(sent?.headers['psu-device-id']).toBe(sentOn)
  })

  test('a user agent that no header can contain stops no payment', async () => {
    const psu = { ipAddress: '192.0.2.10', userAgent: 'Nettleser – ø\r\nX: y', headers: {} }
    const { sent } = await requested(CREATED, (c, caller) =>
      payments(c).initiate({ ...caller, psu }, sampleOrder(), REQUEST),
    )
    expect(sent?.headers['psu-user-agent']).toBe('Nettleser ? ?X: y')
  })
})

describe('requests', () => {
  test('have an id of their own each, unless the caller sets it', async () => {
    const read = (c: Connector, caller: BankCaller) =>
      payments(c).read(caller, sampleSubmittedOrder(), { signed: false })
    const ids = [await requested(CREATED, read), await requested(CREATED, read)].map(
      ({ sent }) => sent?.headers['x-request-id'],
    )
    expect(new Set(ids).size).toBe(2)
    expect(ids[0]).toMatch(UUID_4)
    const consent = await requested({ consentStatus: 'received', consentId: 'c1' }, (c, caller) =>
      c.consents.create(caller, TERMS),
    )
    expect(consent.sent?.headers['x-request-id']).toBe(REQUEST_ID)
  })

  test('escape a bank’s ids in the path', async () => {
    const { sent } = await requested({ transactionStatus: 'RCVD' }, (c, caller) =>
      payments(c).read(caller, sampleSubmittedOrder('../../x?y#z'), { signed: false }),
    )
    expect(sent?.url).toMatch(/\/norwegian-domestic-credit-transfers\/\.\.%2F\.\.%2Fx%3Fy%23z\/status$/)
  })

  test('that start an authorisation have the callback URL', async () => {
    const { sent, result } = await requested(STARTED, (c, caller) =>
      payments(c).authorisations.start(caller, sampleSubmittedOrder(), SAMPLE_AUTHORISATION_REQUEST),
    )
    expect(sent).toMatchObject({
      body: '{}',
      headers: {
        'tpp-redirect-preferred': 'true',
        'tpp-redirect-uri': SAMPLE_RETURN_URLS.success,
        'tpp-nok-redirect-uri': SAMPLE_RETURN_URLS.failure,
        'tpp-notification-uri': SAMPLE_RETURN_URLS.notification,
      },
    })
    expect(result).toEqual({
      authorisationId: 'a1',
      approach: { type: 'redirect', url: 'https://sign.fjordbanken.example/sca/1' },
      returnSecret: null,
    })
  })
})

describe('responses', () => {
  test('may shorten a consent at once', async () => {
    const created = { consentStatus: 'received', consentId: 'c1' }
    const create = (c: Connector, caller: BankCaller) => c.consents.create(caller, TERMS)
    expect((await requested({ ...created, validUntil: '2027-02-18' }, create)).result).toMatchObject({
      validUntil: Temporal.PlainDate.from('2027-02-18'),
    })
    expect((await requested(created, create)).result).toMatchObject({ validUntil: TERMS.validUntil })
  })

  test.each([
    ['no URL', { ...STARTED, _links: {} }],
    ['an OAuth server', { ...STARTED, _links: { scaOAuth: { href: 'https://sign.fjordbanken.example/meta' } } }],
    ['no links', { scaStatus: 'received', authorisationId: 'a1' }],
    ['a URL on another host', { ...STARTED, _links: { scaRedirect: { href: 'https://evil.example/sca' } } }],
  ])('with %s as link for the browser redirect it nowhere', async (_what, answer) => {
    const start = (c: Connector, caller: BankCaller) =>
      payments(c).authorisations.start(caller, sampleSubmittedOrder(), SAMPLE_AUTHORISATION_REQUEST)
    await expect(requested(answer, start)).rejects.toMatchObject({ kind: 'misconfigured' })
  })

  test.each([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['no id', '{"transactionStatus":"RCVD"}'],
    ['an empty id', '{"transactionStatus":"RCVD","paymentId":""}'],
    ['a list', '[]'],
  ])('to an order with %s as their body leave its outcome unknown', async (_what, body) => {
    await expect(answered({ status: 201, headers: {}, body }, placed)).rejects.toMatchObject({
      kind: 'outcome-unknown',
    })
  })

  test('to a cancellation show whether the user must sign it', async () => {
    const withdraw = (c: Connector, caller: BankCaller) =>
      payments(c).cancellation.cancel(caller, sampleSubmittedOrder(), REQUEST_ID)
    const answer = (status: number, body: string) => answered({ status, headers: {}, body }, withdraw)
    expect((await answer(204, '')).result).toBe('accepted')
    expect((await answer(200, '{}')).result).toBe('accepted')
    expect((await answer(202, '{"transactionStatus":"ACTC"}')).result).toBe('authorisation-required')
    expect((await answer(202, '')).result).toBe('authorisation-required')
    expect((await answer(202, '{"scaStatus":"exempted"}')).result).toBe('accepted')
    const pending = { transactionStatus: 'ACTC', _links: { startAuthorisation: { href: '/x' } } }
    expect((await answer(200, JSON.stringify(pending))).result).toBe('authorisation-required')
    expect((await answer(200, '{"transactionStatus":"ACSP"}')).result).toBe('accepted')
  })

  test('with an unknown status of a consent change nothing', async () => {
    const read = (c: Connector, caller: BankCaller) => c.consents.read(caller, 'c1')
    await expect(requested({ consentStatus: 'suspended' }, read)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('that never arrived leave the outcome of an order unknown only if it was sent', async () => {
    const silent = (sent: boolean) =>
      placed(
        connectorOver(() => Promise.reject(new BankUnreachable('gone', sent))),
        sampleCaller(),
      )
    await expect(silent(true)).rejects.toMatchObject({ kind: 'outcome-unknown' })
    await expect(silent(false)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('do not hide an error of ours', async () => {
    const broken = connectorOver(() => Promise.reject(new TypeError('bug')))
    await expect(placed(broken, sampleCaller())).rejects.toBeInstanceOf(TypeError)
  })
})

function placed(connector: Connector, caller: BankCaller) {
  return payments(connector).initiate(caller, sampleOrder(), REQUEST)
}

type Call = (connector: Connector, caller: BankCaller) => Promise<unknown> | undefined

/** Calls a connector whose bank answers 200 with this body. */
function requested(body: object, call: Call) {
  return answered({ status: 200, headers: {}, body: JSON.stringify(body) }, call)
}

async function answered(response: BankResponse, call: Call) {
  let sent: BankRequest | undefined
  const connector = connectorOver(async (request) => {
    sent = request
    return response
  })
  const result = await call(connector, sampleCaller())
  return { sent, result }
}

function connectorOver(answer: (request: BankRequest) => Promise<BankResponse>): Connector {
  return berlinGroup(connectorTools({ tppIpAddress: TPP_IP_ADDRESS, fetch: (_bank, request) => answer(request) }))
}

function payments({ domesticPayments }: Connector) {
  return domesticPayments ?? expect.fail('The connector offers no domestic payments')
}
