/** Tests of the known pitfalls of banks with this standard, as far as they concern the connector. */
import { describe, expect, test } from 'vitest'
import { BankError, BankUnreachable } from '../../connector/bank-error.ts'
import type { BankCaller, Connector } from '../../connector/connector.ts'
import type { BankResponse } from '../../connector/connector-dependencies.ts'
import {
  SAMPLE_AUTHORISATION_REQUEST,
  SAMPLE_RETURN_URLS,
  sampleCaller,
  sampleOrder,
  sampleSubmittedOrder,
} from '../../testing/samples.ts'
import { sandboxBank } from '../../testing/sandbox-samples.ts'
import { type ScriptedAnswer, scriptedBank } from '../../testing/scripted-bank.ts'

const REQUEST = { requestId: '019ab1c2-0000-7000-8000-000000000001', notification: SAMPLE_RETURN_URLS.notification }
const CREATED = {
  transactionStatus: 'RCVD',
  paymentId: 'p1',
  _links: { startAuthorisation: { href: '/psd2/v1/payments/norwegian-domestic-credit-transfers/p1/authorisations' } },
}
const STARTED = {
  scaStatus: 'received',
  authorisationId: 'a1',
  _links: { scaRedirect: { href: 'https://sign.fjordbanken.example/sca/1' } },
}
const UNSIGNED = { status: 'Unsigned', statusReason: null }
const DAYS = { from: Temporal.PlainDate.from('2026-11-01'), to: Temporal.PlainDate.from('2026-11-21') }

describe('links', () => {
  test('relative hrefs: the browser is redirected to the bank’s own host', async () => {
    const _links = { scaRedirect: { href: '/login/sca/1' } }
    const bank = { ...sampleCaller().bank, linkHosts: ['xs2a.fjordbanken.example'] }
    const { approach } = await started({ ...STARTED, _links }, { bank })
    expect(approach).toEqual({ type: 'redirect', url: 'https://xs2a.fjordbanken.example/login/sca/1' })
  })

  test('unknown links: those of the bank’s own are ignored, whatever their shape', async () => {
    const strange = { somethingNew: { href: 'https://elsewhere.example' }, odd: 'text', none: null, list: [1] }
    const created = { ...CREATED, _links: { ...CREATED._links, ...strange } }
    expect((await taken({ body: created })).observation).toMatchObject(UNSIGNED)
    const { approach } = await started({ ...STARTED, _links: { ...STARTED._links, ...strange } })
    expect(approach).toEqual({ type: 'redirect', url: 'https://sign.fjordbanken.example/sca/1' })
  })

  test('Location without body link: the order is identified by its id alone', async () => {
    const headers = { location: '/psd2/v1/payments/norwegian-domestic-credit-transfers/p1' }
    const body = JSON.stringify({ transactionStatus: 'RCVD', paymentId: 'p1', _links: {} })
    expect(await taken({ status: 201, headers, body })).toMatchObject({ bankPaymentId: 'p1', observation: UNSIGNED })
  })

  test('paging with relative next: the pages are followed to their end', async () => {
    const next = { href: '/psd2/v1/accounts/r1/transactions?page=2' }
    const entry = { transactionAmount: { currency: 'NOK', amount: '1.00' } }
    const { connector, requested } = scriptedBank((_request, call) => ({
      body: { transactions: { booked: [entry], _links: call === 1 ? { next } : {} } },
    }))
    expect(await connector.accounts?.bookedEntries(sampleCaller(), 'r1', DAYS)).toHaveLength(2)
    expect(requested[1]?.url).toBe('https://xs2a.fjordbanken.example/psd2/v1/accounts/r1/transactions?page=2')
  })
})

describe('access', () => {
  test('a 401 of a gateway in front of the bank is about the token, as its header says or without a reason', async () => {
    const headers = { 'www-authenticate': 'Bearer realm="bank", error="invalid_token"' }
    await expect(taken({ status: 401, headers, body: '' })).rejects.toMatchObject({ kind: 'token-invalid' })
    for (const body of ['', '<html>', '{"error":"unauthorized"}']) {
      const bare = taken({ status: 401, headers: {}, body })
      await expect(bare).rejects.toMatchObject({ kind: 'token-invalid', name: 'UnexplainedTokenRejection' })
    }
  })

  test('the same user signs twice: another user has to', async () => {
    const text = 'This user has signed it already'
    for (const [path, kind] of [
      ['PSU-ID', 'access-denied'],
      ['', 'authentication-busy'],
    ]) {
      const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code: 'STATUS_INVALID', text, path }] })
      await expect(beginsWith({ status: 409, headers: {}, body })).rejects.toMatchObject({ kind })
    }
  })
})

describe('the meaning of a status', () => {
  test('status call before SCA: an order without an authorisation is Unsigned', async () => {
    expect(await read({ transactionStatus: 'RCVD' }, false)).toMatchObject(UNSIGNED)
  })

  test('PDNG as first status: it is Unsigned until it is signed, and in progress afterwards', async () => {
    expect((await taken({ body: { ...CREATED, transactionStatus: 'PDNG' } })).observation).toMatchObject(UNSIGNED)
    expect(await read({ transactionStatus: 'PDNG' }, false)).toMatchObject(UNSIGNED)
    expect(await read({ transactionStatus: 'PDNG' }, true)).toMatchObject({ status: 'InProgress' })
  })

  // That the browser's callback decides nothing is tested in gateway/authorisations.
  test('redirect OK but scaStatus not final: the authorisation is open', async () => {
    expect(await authorisation({ scaStatus: 'started' })).toMatchObject({ state: 'open' })
    expect(await authorisation({ scaStatus: 'unconfirmed' })).toMatchObject({ state: 'open' })
  })

  test('redirect Nok but scaStatus finalised: the authorisation is signed', async () => {
    expect(await authorisation({ scaStatus: 'finalised' })).toMatchObject({ state: 'signed' })
  })

  test('PATC then second signer: partly signed, and in progress once the second has signed', async () => {
    const partly = { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }
    expect(await read({ transactionStatus: 'PATC' }, true)).toMatchObject(partly)
    expect(await read({ transactionStatus: 'ACTC' }, true)).toMatchObject({ status: 'InProgress' })
  })

  test('PATC that a bank cannot report: an order that can be signed again after a signature waits for a second signer', async () => {
    const offer = { transactionStatus: 'RCVD', _links: CREATED._links }
    const partly = { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }
    expect(await read(offer, true)).toMatchObject(partly)
    expect(await read(offer, false)).toMatchObject(UNSIGNED)
    expect(await read({ ...offer, transactionStatus: 'ACSP' }, true)).toMatchObject({ status: 'InProgress' })
  })

  // That a final status may change, is recorded and notified, is tested in gateway/orders.
  test('ACSC → RJCT: a status after the final one is returned unchanged', async () => {
    expect(await read({ transactionStatus: 'ACSC' }, true)).toMatchObject({ status: 'Completed' })
    expect(await read({ transactionStatus: 'RJCT' }, true)).toMatchObject({ status: 'Rejected' })
  })

  test('tppMessage vs tppMessages: a message counts under either name, in a list or on its own', async () => {
    const message = { category: 'WARNING', code: 'FUNDS_NOT_AVAILABLE', text: 'No cover' }
    const waiting = { statusReason: 'InsufficientFunds', statusReasonText: 'No cover' }
    for (const spelling of [{ tppMessage: message }, { tppMessage: [message] }, { tppMessages: [message] }]) {
      expect(await read({ transactionStatus: 'ACTC', ...spelling }, true)).toMatchObject(waiting)
    }
  })

  test('placeholders in messages: they are no reason, and hide none', async () => {
    const tppMessages = [{ text: '-' }, { text: 'The account is closed' }]
    for (const [messages, statusReasonText] of [
      [{ psuMessage: 'NOT PROVIDED', tppMessages: [{ code: 'NONE', text: 'N/A' }] }, null],
      [{ psuMessage: 'null', tppMessages }, 'The account is closed'],
    ] as const) {
      for (const transactionStatus of ['ACSP', 'RJCT']) {
        expect(await read({ transactionStatus, ...messages }, true)).toMatchObject({ statusReasonText })
      }
    }
  })

  test('an authorisation that has ended and answers 400: the order shows its outcome', async () => {
    const bank = sandboxBank('VASASESS', { xs2aUrl: 'https://xs2a.example', pagesUrl: 'https://sign.example' })
    const ended = (order: object, partlySigned = false) =>
      scriptedBank(({ url }) =>
        url.endsWith('/status') ? { body: order } : rejection(400, 'SCA_INVALID', 'over'),
      ).connector.domesticPayments?.authorisations.read(sampleCaller({ bank }), sampleSubmittedOrder(), {
        authorisationId: 'a1',
        partlySigned,
      })
    expect(await ended({ transactionStatus: 'ACSP' })).toMatchObject({ state: 'signed' })
    expect(await ended({ transactionStatus: 'PATC' })).toMatchObject({ state: 'signed' })
    expect(await ended({ transactionStatus: 'PATC' }, true)).toMatchObject({ state: 'cancelled' })
    expect(await ended({ transactionStatus: 'ACSP' }, true)).toMatchObject({ state: 'signed' })
    expect(await ended({ transactionStatus: 'RCVD' })).toMatchObject({ state: 'cancelled' })
    expect(await ended({ transactionStatus: 'RCVD', psuMessage: 'Nekad' })).toMatchObject({ state: 'rejected' })
    expect(await ended({ transactionStatus: 'RCVD', psuMessage: 'N/A' })).toMatchObject({ state: 'cancelled' })
    expect(await ended({ transactionStatus: 'ODD' })).toMatchObject({ state: 'open' })
    await expect(authorisation(rejection(400, 'SCA_INVALID', 'over'))).rejects.toBeInstanceOf(BankError)
  })

  test.each([
    rejection(400, 'FORMAT_ERROR', 'X-Request-ID is no UUID'),
    rejection(400, 'PERIOD_INVALID', 'odd'),
    { status: 400, headers: {}, body: '<html>Bad Request</html>' },
    { status: 400, headers: {}, body: '' },
  ])('a 400 that does not report an end: the order does not count as unsigned because of it (%#)', async (answer) => {
    const bank = sandboxBank('VASASESS', { xs2aUrl: 'https://xs2a.example', pagesUrl: 'https://sign.example' })
    const { connector, requested } = scriptedBank(() => answer)
    const begun = { authorisationId: 'a1', partlySigned: false }
    const read = connector.domesticPayments?.authorisations.read(sampleCaller({ bank }), sampleSubmittedOrder(), begun)
    await expect(read).rejects.toMatchObject({ kind: 'request-rejected' })
    expect(requested).toHaveLength(1)
  })

  test('an authorisation of a cancellation that has ended and answers 400: only a cancelled order shows its outcome', async () => {
    const bank = sandboxBank('VASASESS', { xs2aUrl: 'https://xs2a.example', pagesUrl: 'https://sign.example' })
    const ended = (order: object) =>
      scriptedBank(({ url }) =>
        url.endsWith('/status') ? { body: order } : rejection(400, 'SCA_INVALID', 'over'),
      ).connector.domesticPayments?.cancellation.authorisations.read(sampleCaller({ bank }), sampleSubmittedOrder(), {
        authorisationId: 'a1',
        partlySigned: false,
      })
    expect(await ended({ transactionStatus: 'CANC' })).toMatchObject({ state: 'signed' })
    expect(await ended({ transactionStatus: 'ACSP' })).toMatchObject({ state: 'open' })
    expect(await ended({ transactionStatus: 'ACTC', psuMessage: 'No cover on the account' })).toMatchObject({
      state: 'open',
    })
    expect(await ended({ transactionStatus: 'ODD' })).toMatchObject({ state: 'open' })
    expect(await ended({ transactionStatus: 'ACSP', psuMessage: 'Avbruten' })).toMatchObject({ state: 'cancelled' })
    expect(await ended({ transactionStatus: 'ACSC' })).toMatchObject({ state: 'cancelled' })
    expect(await ended({ transactionStatus: 'RJCT', psuMessage: 'Nekad' })).toMatchObject({ state: 'rejected' })
  })

  test('an authorisation of a basket that has ended and answers 400: the basket shows its outcome', async () => {
    const bank = sandboxBank('VASASESS', { xs2aUrl: 'https://xs2a.example', pagesUrl: 'https://sign.example' })
    const ended = (transactionStatus: string, partlySigned = false) =>
      scriptedBank(({ url }) =>
        url.endsWith('/status') ? { body: { transactionStatus } } : rejection(400, 'SCA_INVALID', 'over'),
      ).connector.baskets?.authorisations.read(sampleCaller({ bank }), 'b1', { authorisationId: 'a1', partlySigned })
    expect(await ended('PATC', true)).toMatchObject({ state: 'cancelled' })
    expect(await ended('ACSP', true)).toMatchObject({ state: 'signed' })
    for (const status of ['PATC', 'ACTC', 'ACCP', 'ACSP', 'ACSC']) {
      expect(await ended(status)).toMatchObject({ state: 'signed' })
    }
    for (const status of ['PDNG', 'ODD']) {
      expect(await ended(status)).toMatchObject({ state: 'open' })
    }
    for (const status of ['RCVD', 'CANC', 'RJCT']) {
      expect(await ended(status)).toMatchObject({ state: 'cancelled' })
    }
  })

  test('an authorisation of a consent that has ended and answers 400: the consent shows its outcome', async () => {
    const bank = sandboxBank('VASASESS', { xs2aUrl: 'https://xs2a.example', pagesUrl: 'https://sign.example' })
    const ended = (consent: object) =>
      scriptedBank(({ url }) =>
        /authorisations/.test(url) ? rejection(400, 'SCA_INVALID', 'over') : { body: consent },
      ).connector.consents.authorisations.read(sampleCaller({ bank }), 'c1', {
        authorisationId: 'a1',
        partlySigned: false,
      })
    expect(await ended({ consentStatus: 'valid' })).toMatchObject({ state: 'signed' })
    expect(await ended({ consentStatus: 'partiallyAuthorised' })).toMatchObject({ state: 'signed' })
    expect(await ended({ consentStatus: 'rejected', psuMessage: 'Nekad' })).toMatchObject({ state: 'rejected' })
    expect(await ended({ consentStatus: 'received' })).toMatchObject({ state: 'cancelled' })
    expect(await ended({ consentStatus: 'odd' })).toMatchObject({ state: 'open' })
  })
})

describe('bank responses', () => {
  test.each([
    [200, '{"transactionStatus":"CANC"}', 'accepted'],
    [202, '{"transactionStatus":"ACTC","_links":{}}', 'authorisation-required'],
    [204, '', 'accepted'],
  ])('DELETE %i: the cancellation is understood', async (status, body, answer) => {
    const { connector } = scriptedBank(() => ({ status, headers: {}, body }))
    const withdrawal = connector.domesticPayments?.cancellation.cancel(
      sampleCaller(),
      sampleSubmittedOrder(),
      REQUEST.requestId,
    )
    expect(await withdrawal).toBe(answer)
  })

  test('problem+json errors: the problem is found, and every further one', async () => {
    const body = JSON.stringify({
      type: 'https://bank.example/errors/format',
      code: 'FORMAT_ERROR',
      title: 'Not accepted',
      detail: 'creditorName: longer than 70 characters',
      additionalErrors: [{ code: 'FORMAT_ERROR', detail: 'instructedAmount.amount: more than zero' }],
    })
    const headers = { 'content-type': 'application/problem+json' }
    await expect(taken({ status: 400, headers, body })).rejects.toMatchObject({
      kind: 'order-rejected',
      validationErrors: [
        { field: 'creditorName', cause: 'too-long' },
        { field: 'amount', cause: 'invalid' },
      ],
    })
  })

  test('X-Request-ID not echoed: a response with none, or another, is accepted all the same', async () => {
    const body = JSON.stringify(CREATED)
    expect(await taken({ status: 201, headers: {}, body })).toMatchObject({ bankPaymentId: 'p1' })
    const headers = { 'x-request-id': '11111111-1111-4111-8111-111111111111' }
    expect(await taken({ status: 201, headers, body })).toMatchObject({ bankPaymentId: 'p1' })
  })

  // That a replaced consent is detected, of any partner, is tested in gateway/consents.
  test('consent replaced by newer: the older one is reported as revoked, and calls under it as rejected for that', async () => {
    const { connector } = scriptedBank(() => ({ body: { consentStatus: 'terminatedByTpp' } }))
    expect(await connector.consents.read(sampleCaller(), 'c1')).toMatchObject({ state: 'revoked' })
    await expect(taken(rejection(401, 'CONSENT_INVALID', 'ended'))).rejects.toMatchObject({ kind: 'consent-invalid' })
  })

  // That accounts are identified by their number under every consent is tested in gateway/consents and
  // gateway/accounts.
  test('account-id changing with consent: an id of another consent is an unknown account, not an unknown consent', async () => {
    const { connector } = scriptedBank(() => rejection(403, 'RESOURCE_UNKNOWN', 'no such account'))
    await expect(
      connector.accounts?.balance(sampleCaller(), { resourceId: 'old', currency: 'NOK' }),
    ).rejects.toMatchObject({ kind: 'account-unknown' })
  })

  test('429 without PSU-IP-Address: nothing is sent in place of an absent user, and the limit is reported', async () => {
    const { connector, requested } = scriptedBank(() => rejection(429, 'ACCESS_EXCEEDED', 'four a day'))
    const unattended = connector.accounts?.list({ ...sampleCaller(), psu: null })
    await expect(unattended).rejects.toMatchObject({ kind: 'too-many-reads' })
    expect(Object.keys(requested[0]?.headers ?? {}).filter((name) => name.startsWith('psu-'))).toEqual([])
  })

  // That the payment is stored with an unknown outcome is tested in gateway/payments.
  test('duplicate POST after time-out: an order is submitted once, whatever happens to the response', async () => {
    for (const sent of [true, false]) {
      const { connector, requested } = scriptedBank(() => {
        throw new BankUnreachable('no answer in time', sent)
      })
      await expect(placed(connector)).rejects.toMatchObject({ kind: sent ? 'outcome-unknown' : 'unavailable' })
      expect(requested).toHaveLength(1)
    }
  })
  // QR expiry concerns signing by QR code and is tested in gateway/authorisations.
})

function rejection(status: number, code: string, text: string): BankResponse {
  return { status, headers: {}, body: JSON.stringify({ tppMessages: [{ category: 'ERROR', code, text }] }) }
}

function placed(connector: Connector) {
  const { domesticPayments } = connector
  return domesticPayments?.initiate(sampleCaller(), sampleOrder(), REQUEST) ?? expect.fail('No payments are offered')
}

function taken(answer: ScriptedAnswer) {
  return placed(scriptedBank(() => answer).connector)
}

async function read(body: object, signed: boolean) {
  const { connector } = scriptedBank(() => ({ body }))
  return await connector.domesticPayments?.read(sampleCaller(), sampleSubmittedOrder(), { signed })
}

async function authorisation(answer: BankResponse | { readonly scaStatus: string }) {
  const { connector } = scriptedBank(() => ('status' in answer ? answer : { body: answer }))
  const begun = { authorisationId: 'a1', partlySigned: false }
  return await connector.domesticPayments?.authorisations.read(sampleCaller(), sampleSubmittedOrder(), begun)
}

async function beginsWith(answer: ScriptedAnswer) {
  const { connector } = scriptedBank(() => answer)
  return await connector.domesticPayments?.authorisations.start(
    sampleCaller(),
    sampleSubmittedOrder(),
    SAMPLE_AUTHORISATION_REQUEST,
  )
}

async function started(body: object, change: Partial<BankCaller> = {}) {
  const { connector } = scriptedBank(() => ({ body }))
  const begun = await connector.domesticPayments?.authorisations.start(
    sampleCaller(change),
    sampleSubmittedOrder(),
    SAMPLE_AUTHORISATION_REQUEST,
  )
  return begun ?? expect.fail('No payments are offered')
}
