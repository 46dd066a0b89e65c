/** Shows the requests to banks about bulks, and the use of their answers. */
import { describe, expect, test } from 'vitest'
import type { BulkOrder, KnownBulkTransaction } from '../../../connector/bank-order.ts'
import type { BankRequest, BankResponse } from '../../../connector/connector-dependencies.ts'
import { SAMPLE_AUTHORISATION_REQUEST, SAMPLE_RETURN_URLS } from '../../../testing/samples.ts'
import { sandboxBank, sandboxBulk, sandboxCaller } from '../../../testing/sandbox-samples.ts'
import { type ScriptedAnswer, scriptedBank } from '../../../testing/scripted-bank.ts'

const ID = '019ab1c2-0000-7000-8000-000000000001'
const DAY = Temporal.PlainDate.from('2026-12-01')
const PLACE = { xs2aUrl: 'http://127.0.0.1:8083', pagesUrl: 'http://127.0.0.1:8081' }
const REQUEST = { requestId: ID, notification: SAMPLE_RETURN_URLS.notification }
const AT = { bankPaymentId: 'b1', rail: 'account', debtorBban: '80521100020', creditorBban: 'a-digest' } as const
const CREATED = { transactionStatus: 'PDNG', paymentId: 'b1', _links: { startAuthorisation: { href: '/x' } } }
const BASE = 'vestkyst/v1/bulk-payments/norwegian-domestic-credit-transfers'
const GONE: ScriptedAnswer = {
  status: 403,
  headers: {},
  body: '{"tppMessages":[{"category":"ERROR","code":"RESOURCE_UNKNOWN"}]}',
}

describe('a bulk', () => {
  test('is submitted, read, signed and cancelled under the bulk service', async () => {
    const { bulks, caller, order, requested } = at('VSKYNO22', () => ({
      body: { ...CREATED, scaStatus: 'received', authorisationId: 'a1' },
    }))
    await bulks.initiate(caller, order, REQUEST)
    await bulks.readOrder(caller, AT)
    await bulks.read(caller, AT, { signed: false, elements: [] })
    await bulks.authorisations.start(caller, AT, SAMPLE_AUTHORISATION_REQUEST).catch(() => undefined)
    await bulks.authorisations.read(caller, AT, { authorisationId: 'a1', partlySigned: false })
    await bulks.cancellation.cancel(caller, AT, ID)
    expect(requested.map(({ method, url }) => `${method} ${new URL(url).pathname.slice(1)}`)).toEqual([
      `POST ${BASE}`,
      `GET ${BASE}/b1`,
      `GET ${BASE}/b1/status`,
      `POST ${BASE}/b1/authorisations`,
      `GET ${BASE}/b1/authorisations/a1`,
      `DELETE ${BASE}/b1`,
    ])
    expect(requested.map(({ operation }) => operation)).toEqual([
      'initiateBulkPayment',
      'getBulkPayment',
      'getBulkPaymentStatus',
      'startBulkPaymentAuthorisation',
      'getBulkPaymentAuthorisation',
      'cancelBulkPayment',
    ])
  })

  test('is sent once, under the id of the request and the user’s consent', async () => {
    const { bulks, caller, order, requested } = at('VSKYNO22', () => ({ status: 503, headers: {}, body: '' }))
    await expect(bulks.initiate(caller, order, REQUEST)).rejects.toMatchObject({ kind: 'outcome-unknown' })
    expect(requested).toHaveLength(1)
    expect(requested[0]?.headers).toMatchObject({
      'x-request-id': ID,
      'consent-id': 'c1',
      'psu-corporate-id': '987654325',
    })
  })

  test('has the bank’s ids of its payments where they are returned at once, for all of them', async () => {
    const ids = (payments: unknown) => at('VSKYNO22', () => ({ body: { ...CREATED, payments } }))
    const taken = async ({ bulks, caller, order }: ReturnType<typeof ids>) =>
      (await bulks.initiate(caller, order, REQUEST)).elementIds
    expect(await taken(ids([{ paymentId: 'e1' }, {}, { paymentId: 'e3' }]))).toEqual(['e1', null, 'e3'])
    expect(await taken(ids([{ paymentId: 'e1' }]))).toBeUndefined()
    expect(await taken(ids('three'))).toBeUndefined()
    expect(await taken(ids(undefined))).toBeUndefined()
  })

  test('of other kinds of payments, or at a bank without bulks, is not sent', async () => {
    const { bulks, caller, order, requested } = at('HAVBNO22', () => ({ body: CREATED }))
    await expect(bulks.initiate(caller, order, REQUEST)).rejects.toMatchObject({ kind: 'unsupported-product' })
    const other = at('VASASESS', () => ({ body: CREATED }))
    const bank = { ...other.caller.bank, profile: { ...other.caller.bank.profile, payroll: vestkystTerms } }
    const giro = { type: 'bankgiro', number: '5402-9681' } as const
    const payments = other.order.payments.map((payment) => ({
      ...payment,
      rail: giro.type,
      creditor: { account: giro, name: 'X' },
    }))
    const placing = other.bulks.initiate({ ...other.caller, bank }, { ...other.order, payments }, REQUEST)
    await expect(placing).rejects.toMatchObject({ kind: 'unsupported-product' })
    expect([...requested, ...other.requested]).toEqual([])
  })

  test('that is rejected for some of its payments identifies them, in either error format', async () => {
    const rejected = (body: object) => ({ status: 400, headers: {}, body: JSON.stringify(body) })
    const error = { category: 'ERROR', code: 'FORMAT_ERROR' }
    const messages = [
      { ...error, path: 'payments[2].creditorAccount.bban', text: '80501200029 is unknown' },
      { ...error, path: '/payments/0/instructedAmount', text: 'Too much' },
      { ...error, path: 'requestedExecutionDate', text: 'Closed' },
    ]
    const { bulks, caller, order } = at('VSKYNO22', () => rejected({ tppMessages: messages }))
    await expect(bulks.initiate(caller, order, REQUEST)).rejects.toMatchObject({
      kind: 'order-rejected',
      validationErrors: [
        { position: 2, field: 'creditorAccount' },
        { position: 0, field: 'amount' },
        { field: 'dueDate', text: 'Closed' },
      ],
    })
    const detail = 'payments.1.creditorName: Kari Nordmann has too many characters'
    const validationError = at('AURAFIHH', () => rejected({ code: 'FORMAT_ERROR', detail }))
    const rejection = await validationError.bulks
      .initiate(validationError.caller, validationError.order, REQUEST)
      .catch((one: unknown) => one)
    expect(rejection).toMatchObject({ validationErrors: [{ position: 1, field: 'creditorName' }] })
    expect(JSON.stringify(rejection)).not.toContain('Kari')
  })

  test('whose payment lacks a reference identifies it', async () => {
    const message = { category: 'ERROR', code: 'REQUIRED_KID_MISSING', path: 'payments.1.remittanceInformation' }
    const body = JSON.stringify({ tppMessages: [{ ...message, text: 'Kari Nordmann wants one' }] })
    const { bulks, caller, order } = at('VSKYNO22', () => ({ status: 401, headers: {}, body }))
    const rejection = await bulks.initiate(caller, order, REQUEST).catch((one: unknown) => one)
    expect(rejection).toMatchObject({ kind: 'ocr-rejected', validationErrors: [{ position: 1, field: 'remittance' }] })
    expect(JSON.stringify(rejection)).not.toContain('Kari')
  })
})

describe('a partly executed bulk at a bank that lists its payments', () => {
  test('is read with them in two calls', async () => {
    const { bulks, caller, requested } = at('FJELNO22', ({ url }) =>
      url.endsWith('/status')
        ? { body: { transactionStatus: 'PART' } }
        : {
            body: {
              payments: [{ transactionStatus: 'ACSC' }, {}, { transactionStatus: 'RJCT', psuMessage: 'Closed' }],
            },
          },
    )
    const seen = await bulks.read(caller, AT, { signed: true, elements: unread(3) })
    expect(requested).toHaveLength(2)
    expect(seen).toMatchObject({ status: 'InProgress', bankStatus: 'PART' })
    expect(seen.elements).toMatchObject([
      { position: 0, status: 'Completed', bankStatus: 'ACSC', elementId: null },
      { position: 2, status: 'Rejected', bankStatus: 'RJCT', statusReasonText: 'Closed' },
    ])
  })
})

describe('a partly executed bulk at a bank that lists its payments in its own order', () => {
  test('identifies them by their index in the bulk', async () => {
    const listed = ['c', 'a', 'b'].map((paymentId) => ({ paymentId, transactionStatus: 'ACSC' }))
    const { bulks, caller } = at('FJELNO22', ({ url }) => ({
      body: url.endsWith('/status') ? { transactionStatus: 'PART' } : { payments: listed },
    }))
    const elements = ['a', 'b', 'c'].map((elementId) => ({ ...UNREAD, elementId }))
    const seen = await bulks.read(caller, AT, { signed: true, elements })
    expect(seen.elements?.map(({ position, elementId }) => [position, elementId])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ])
  })
})

describe('a partly executed bulk at a bank whose payments have ids', () => {
  test('is read by ids, payments known as final last', async () => {
    const { bulks, caller, requested } = inParts(() => ({ body: { transactionStatus: 'ACSC' } }))
    const elements = unread(4).map((element, n) => ({ ...element, elementId: `e${n}`, ...(n === 1 ? OVER : {}) }))
    const seen = await bulks.read(caller, AT, { signed: true, elements })
    expect(pathsOf(requested)).toEqual(['b1/status', 'e0/status', 'e2/status', 'e3/status'])
    expect(seen).toMatchObject({ status: 'Completed' })
    expect(seen.elements?.map(({ position }) => position)).toEqual([0, 2, 3])
    const over = elements.map((element) => ({ ...element, ...OVER }))
    expect((await bulks.read(caller, AT, { signed: true, elements: over })).elements).toHaveLength(4)
  })

  test('polls those longest unread first, and of thousands a limited number', async () => {
    const { bulks, caller, requested } = inParts(() => ({ body: { transactionStatus: 'ACSP' } }))
    const readAt = (n: number) => (n < 500 ? Temporal.Instant.from('2026-11-20T12:00Z').add({ seconds: -n }) : null)
    const elements = unread(1_400).map((element, n) => ({ ...element, elementId: `e${n}`, readAt: readAt(n) }))
    const seen = await bulks.read(caller, AT, { signed: true, elements })
    expect(seen.status).toBe('InProgress')
    const ids = pathsOf(requested).slice(1)
    expect(ids).toHaveLength(1_000)
    expect(new Set(ids.slice(0, 900))).toEqual(
      new Set(elements.slice(500).map(({ elementId }) => `${elementId}/status`)),
    )
    expect(ids[900]).toBe('e499/status')
    expect(seen.elements?.map(({ position }) => position)).toEqual(
      elements.flatMap((_element, n) => (n >= 400 ? [n] : [])),
    )
  })

  test('looks up the ids in the bulk', async () => {
    const listed = ['b', 'a'].map((id) => ({ endToEndIdentification: id, paymentId: `${id}-at-bank` }))
    const { bulks, caller, requested } = inParts(({ url }) =>
      url.endsWith('/b1') ? { body: { payments: listed } } : { body: { transactionStatus: 'ACSC' } },
    )
    const elements = ['a', 'b'].map((endToEndId) => ({ ...UNREAD, endToEndId }))
    const seen = await bulks.read(caller, AT, { signed: true, elements })
    expect(pathsOf(requested)).toEqual(['b1/status', 'b1', 'a-at-bank/status', 'b-at-bank/status'])
    expect(seen.elements).toMatchObject([{ elementId: 'a-at-bank' }, { elementId: 'b-at-bank' }])
  })

  test('counts the statuses that were read before the bank failed, and ignores unknown ones', async () => {
    const { bulks, caller } = inParts(({ url }) => {
      if (url.includes('/e0/')) {
        return GONE
      }
      return url.includes('/e1') ? { status: 503, headers: {}, body: '' } : { body: { transactionStatus: 'ACSC' } }
    })
    const elements = unread(20).map((element, n) => ({ ...element, elementId: `e${n}` }))
    const seen = await bulks.read(caller, AT, { signed: true, elements })
    expect(seen.status).toBe('InProgress')
    expect(seen.elements?.map(({ position }) => position)).toEqual([2, 3, 4, 5, 6, 7])
  })

  test('is read on after a payment that the bank does not know', async () => {
    const { bulks, caller } = inParts(({ url }) =>
      url.includes('/e3/') ? GONE : { body: { transactionStatus: 'ACSC' } },
    )
    const elements = unread(20).map((element, n) => ({ ...element, elementId: `e${n}` }))
    const seen = await bulks.read(caller, AT, { signed: true, elements })
    expect(seen.elements).toHaveLength(19)
    expect(seen.status).toBe('InProgress')
  })

  test('is not read where the bank reports no single payments', async () => {
    const { bulks, caller } = inParts(() => ({ status: 503, headers: {}, body: '' }))
    const elements = unread(1).map((element) => ({ ...element, elementId: 'e0' }))
    const reading = bulks.read(caller, AT, { signed: true, elements })
    await expect(reading).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

const UNREAD: KnownBulkTransaction = { endToEndId: '', elementId: null, status: null, readAt: null }
const OVER = { status: 'Completed', readAt: Temporal.Instant.from('2026-11-20T12:00Z') } as const
const vestkystTerms = { submissionMode: 'bulk', batchBooking: true, elements: 'own-ids', inBaskets: true } as const

function unread(count: number): readonly KnownBulkTransaction[] {
  return Array.from({ length: count }, (_, n) => ({ ...UNREAD, endToEndId: `invoice-${n}` }))
}

/** A bank whose bulk is in parts, and that answers the rest by a script. */
function inParts(script: (request: BankRequest) => ScriptedAnswer | BankResponse) {
  return at('VSKYNO22', (request) =>
    request.url.endsWith('/b1/status') ? { body: { transactionStatus: 'PART' } } : script(request),
  )
}

function at(bic: string, script: (request: BankRequest) => ScriptedAnswer) {
  const bank = sandboxBank(bic, PLACE)
  const { connector, requested } = scriptedBank(script)
  const bulks = connector.bulkPayments ?? expect.fail('The connector offers no bulks')
  const order: BulkOrder = sandboxBulk(bank, DAY, 3_125_000n)
  return { bulks, requested, order, caller: { ...sandboxCaller(bank), bankConsentId: 'c1' } }
}

/** The URL after the product. */
function pathsOf(requested: readonly BankRequest[]): readonly string[] {
  return requested.map(({ url }) => url.replace(/^.*credit-transfers\//, ''))
}
