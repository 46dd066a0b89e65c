/** Tests what a domestic payment is rejected for, and that a rejected one leaves nothing, here or at the bank. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invoice } from '../../contract/examples/demo-fixture.ts'
import { addCompany } from '../companies/add-company.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import {
  countSideEffects,
  sendRawRequest,
  UNKNOWN_ID,
  validHeaders,
  withoutRequestId,
} from '../testing/contract/send-raw-request.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import {
  acceptedConsent,
  CALLBACK,
  domesticPayment,
  KARI,
  MAIN_ACCOUNT,
  OLA,
  PSU,
} from '../testing/payments/sample-payments.ts'

const OPERATION = ['POST', '/api/v2/payments'] as const
const INGRID_WHO_MAY_ONLY_SEE = '03835067890'
const VESTAVIND_ACCOUNT = '80501100106'
const VESTAVIND = { countryCode: 'NO', organisationNumber: '987654333', name: 'Vestavind Eiendom AS' }
/** The sandbox bank rejects an order of this amount for its consent. */
const CONSENT_REJECTED_BY_BANK = '7742.00'
const KID_ONLY_ACCOUNT = '80503000028'

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  const { consentId } = await acceptedConsent(gateway)
  headers = await validHeaders(gateway, consentId)
})
afterAll(() => gateway.close())

const { from, to } = invoice
/** The account may be another company's: the order does not name the owner. */
const { organizationNumber: _company, ...fromAnyCompany } = from
const fromAccount = (bban: unknown) => ({ from: { ...fromAnyCompany, account: { type: 'bban', bban } } })
const toAccount = (bban: unknown) => ({ to: { ...to, account: { type: 'bban', bban } } })
const fromName = (name: unknown) => ({ from: { ...from, contactInformation: { name } } })
const toName = (name: unknown) => ({ to: { ...to, contactInformation: { name } } })
const amount = (text: unknown, currency: unknown = 'NOK') => ({ amount: { amount: text, currency } })
const message = (value: unknown) => ({ remittanceInformation: { type: 'message', value } })
const ocr = (value: unknown) => ({ remittanceInformation: { type: 'ocr', value } })
const today = () => gateway.context.clock.today('Europe/Oslo')

/** Sends an order with changes. */
async function send(changes: object, changedHeaders: Record<string, string | undefined> = {}) {
  const body = { ...domesticPayment(gateway), ...changes }
  return await sendRawRequest(gateway, OPERATION, { headers: { ...headers, ...changedHeaders }, body })
}

/** Sends an order that must be rejected, and checks that nothing was stored or submitted. */
async function rejected(...sent: Parameters<typeof send>) {
  const before = await countSideEffects(gateway)
  const answer = await send(...sent)
  expect(await countSideEffects(gateway)).toEqual(before)
  return answer
}

describe('a domestic payment with one error', () => {
  const WRONG: readonly [what: string, changes: object, code: string, path: string, reason: string | RegExp][] = [
    ['no metadata', { metadata: undefined }, 'InvalidRequest', '.metadata', 'is required'],
    ['no endToEndId', { metadata: {} }, 'InvalidRequest', '.metadata.endToEndId', 'is required'],
    ['a blank endToEndId', { metadata: { endToEndId: ' ' } }, 'InvalidRequest', '.metadata.endToEndId', /must /],
    [
      'an overlong endToEndId',
      { metadata: { endToEndId: 'x'.repeat(256) } },
      'InvalidRequest',
      '.metadata.endToEndId',
      /255/,
    ],
    [
      'U+0000 in endToEndId',
      { metadata: { endToEndId: 'INV\0' } },
      'InvalidCharacters',
      '.metadata.endToEndId',
      'contains the character U+0000',
    ],
    ['no debtor account', { from: { ...from, account: undefined } }, 'InvalidRequest', '.from.account', 'is required'],
    [
      'a debtor IBAN that is not on the consent',
      fromAccount('NO9386011117947'),
      'InvalidBBAN',
      '.from.account.bban',
      'The account number is an IBAN; send its account number, 86011117947',
    ],
    [
      'a short debtor account',
      fromAccount('8050110001'),
      'InvalidBBAN',
      '.from.account.bban',
      'The account number has 10 digits; a Norwegian one has 11',
    ],
    [
      'a debtor account that fails modulus 11',
      fromAccount('80501100018'),
      'InvalidBBAN',
      '.from.account.bban',
      'The account number has a wrong check digit (modulus 11)',
    ],
    [
      'a debtor account that is a number',
      fromAccount(80501100017),
      'InvalidBBAN',
      '.from.account.bban',
      'must be a string',
    ],
    ['an empty debtor account', fromAccount(''), 'InvalidBBAN', '.from.account.bban', /must not be empty/],
    [
      'another type of account',
      { from: { ...from, account: { type: 'iban', bban: MAIN_ACCOUNT } } },
      'InvalidRequest',
      '.from.account.type',
      'must be bban',
    ],
    [
      'a debtor name of 71 characters',
      fromName('x'.repeat(71)),
      'SenderNameTooLong',
      '.from.contactInformation.name',
      'has 71 characters; Fjordbanken accepts at most 70',
    ],
    ['a blank debtor name', fromName('\t'), 'InvalidRequest', '.from.contactInformation.name', /must /],
    [
      'a euro sign in the debtor name',
      fromName('Nor€lys$'),
      'InvalidCharacters',
      '.from.contactInformation.name',
      'contains "€" (U+20AC) at position 4, which the bank does not accept',
    ],
    [
      'another currency of the account',
      { from: { ...from, currency: 'EUR' } },
      'InvalidRequest',
      '.from.currency',
      'must be NOK; accounts in other currencies pay by a cross-border payment',
    ],
    [
      'a creditor account of another alphabet',
      toAccount('٨٠٥٠١٢٠٠٠١١'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'The account number contains characters other than digits',
    ],
    [
      'a creditor account that fails modulus 11',
      toAccount('80501200012'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'The account number has a wrong check digit (modulus 11)',
    ],
    [
      'a creditor account with an unknown bank code',
      toAccount('00000000000'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'The account number begins with 0000, which is not a bank',
    ],
    [
      'the debtor’s account as the creditor’s',
      toAccount('8050.11.00017'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'The account number is that of the sender',
    ],
    [
      'a creditor name of 71 characters',
      toName('x'.repeat(71)),
      'RecipientNameTooLong',
      '.to.contactInformation.name',
      'has 71 characters; Fjordbanken accepts at most 70',
    ],
    [
      'an emoji in the creditor name',
      toName('Granli 🌲 Trelast'),
      'InvalidCharacters',
      '.to.contactInformation.name',
      'contains "🌲" (U+1F332) at position 8, which the bank does not accept',
    ],
    [
      'an x with an accent, of two code points',
      toName('Kafx\u0301'),
      'InvalidCharacters',
      '.to.contactInformation.name',
      'contains "x\u0301" (U+0078 U+0301) at position 4, which the bank does not accept',
    ],
    ['no amount', { amount: undefined }, 'InvalidRequest', '.amount', 'is required'],
    ['an amount that is a number', amount(100), 'InvalidAmount', '.amount.amount', 'must be a string'],
    ['a bare amount', { amount: '100.00' }, 'InvalidAmount', '.amount', 'must be an object'],
    ...[
      '-1',
      '+1',
      '1e3',
      '01.00',
      '1,00',
      '1.',
      '.5',
      ' 1',
      '1.00\n',
      '1 000',
      '0x10',
      'NaN',
      '',
      '1.00000',
      '1'.repeat(13),
    ].map((text): [string, object, string, string, RegExp] => [
      `the amount ${JSON.stringify(text)}`,
      amount(text),
      'InvalidAmount',
      '.amount.amount',
      /must /,
    ]),
    ['the amount 0', amount('0'), 'InvalidAmount', '.amount.amount', 'must be above zero'],
    ['the amount 0.00', amount('0.00'), 'InvalidAmount', '.amount.amount', 'must be above zero'],
    ['the amount 1.234', amount('1.234'), 'InvalidAmount', '.amount.amount', 'NOK has 2 decimals at most'],
    [
      'one øre more than the bank accepts',
      amount('25000000.01'),
      'InvalidAmount',
      '.amount.amount',
      'is above 25000000.00 NOK, the limit of Fjordbanken for one payment',
    ],
    [
      'a foreign currency',
      amount('1', 'EUR'),
      'InvalidAmount',
      '.amount.currency',
      'must be NOK in a domestic payment of NO',
    ],
    ['an unknown currency', amount('1', 'XQX'), 'InvalidAmount', '.amount.currency', 'XQX is not an ISO 4217 currency'],
    ['a currency in lower case', amount('1', 'nok'), 'InvalidAmount', '.amount.currency', /must /],
    [
      'another company than that of the consent',
      { from: { ...from, organizationNumber: '987654333' } },
      'InvalidRequest',
      '.from.organizationNumber',
      'is not the company of the consent, 987654325',
    ],
    ['no due date', { dueDate: undefined }, 'InvalidRequest', '.dueDate', 'is required'],
    ['30 February', { dueDate: '2027-02-30' }, 'InvalidDueDate', '.dueDate', 'is not a valid date'],
    ['29 February of a common year', { dueDate: '2027-02-29' }, 'InvalidDueDate', '.dueDate', 'is not a valid date'],
    ['a date in another format', { dueDate: '25.11.2026' }, 'InvalidDueDate', '.dueDate', /must /],
    ['a date with a time', { dueDate: '2026-11-25T00:00:00Z' }, 'InvalidDueDate', '.dueDate', /must /],
    ['a date that is a number', { dueDate: 20261125 }, 'InvalidDueDate', '.dueDate', 'must be a string'],
    [
      'a message of 141 characters',
      message('x'.repeat(141)),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'The message has 141 characters; Fjordbanken accepts at most 140',
    ],
    [
      'a message with a line break',
      message('Faktura\n20455'),
      'InvalidCharacters',
      '.remittanceInformation.value',
      'contains U+000A at position 8, which the bank does not accept',
    ],
    [
      'a message without its text',
      { remittanceInformation: { type: 'message' } },
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'is required',
    ],
    [
      'a message that is a number',
      message(5),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'must be a string',
    ],
    [
      'an unknown kind of remittance',
      { remittanceInformation: { type: 'morse', value: '-' } },
      'InvalidRemittanceInfo',
      '.remittanceInformation.type',
      /must be one of message, ocr, fik/,
    ],
    [
      'a KID with a wrong check digit',
      ocr('2345677'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'The reference is not a KID: its check digit fits neither modulus 10 nor modulus 11',
    ],
    [
      'a KID of 26 digits',
      ocr('0'.repeat(26)),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'The reference is not a KID: 2–25 digits, of which the last may be a hyphen',
    ],
    ['a KID of letters', ocr('INV20455'), 'InvalidRemittanceInfo', '.remittanceInformation.value', /is not a KID/],
    [
      'no KID with the type of a KID',
      { remittanceInformation: { type: 'ocr' } },
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'is required',
    ],
    [
      'a Danish FIK',
      { remittanceInformation: { type: 'fik', value: '+71<000000000000018+81234567' } },
      'InvalidRemittanceInfo',
      '.remittanceInformation',
      'The reference is of a type that is not used in Norway; a KID is of type ocr',
    ],
    ['an unknown purpose', { purposeCode: 'GIFT' }, 'InvalidRequest', '.purposeCode', /must be one of SUPP/],
    [
      'U+0000 in a text that is only stored here',
      { from: { ...from, contactInformation: { name: 'Nordlys', telephoneNumber: '\0' } } },
      'InvalidCharacters',
      '.from.contactInformation.telephoneNumber',
      'contains the character U+0000',
    ],
  ]

  test('is rejected with the reason at its path', async () => {
    const before = await countSideEffects(gateway)
    await forEachRow(
      WRONG,
      ([what]) => what,
      async ([_what, changes, code, path, reason]) => {
        const answer = await send(changes)
        expect(answer.status).toBe(422)
        const matching = typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason)
        expect(answer.body).toMatchObject([{ code, reason: matching, path }])
      },
    )
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test('is rejected for a due date in the past, by the calendar of the bank’s country', async () => {
    const answer = await rejected({ dueDate: today().subtract({ days: 1 }).toString() })
    expect(answer).toMatchObject({
      status: 422,
      body: [
        {
          code: 'InvalidDueDate',
          reason: expect.stringContaining(`is in the past; today is ${today()}`),
          path: '.dueDate',
        },
      ],
    })
  })

  test('is rejected for a due date further ahead than the bank accepts, and accepted on the last day', async () => {
    const last = today().add({ days: 365 })
    const answer = await rejected({ dueDate: last.add({ days: 1 }).toString() })
    const reason = expect.stringContaining(`is after ${last}, the last due date that Fjordbanken accepts`)
    expect(answer).toMatchObject({ status: 422, body: [{ code: 'InvalidDueDate', reason, path: '.dueDate' }] })
    const body = domesticPayment(gateway, { dueDate: last.toString() })
    expect(await sendRawRequest(gateway, OPERATION, { headers, body })).toMatchObject({ status: 200 })
  })

  test.each([
    ['null', 'null', 400],
    ['nothing', '', 400],
    ['an array', '[]', 422],
    ['a string', '"pay"', 422],
    ['broken JSON', '{"amount":', 400],
    ['JSON that would change a prototype', '{"__proto__":{"amount":1}}', 400],
    ['100 000 levels of JSON', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
  ])('is rejected for %s as its body', async (_what, body, status) => {
    const before = await countSideEffects(gateway)
    const answer = await sendRawRequest(gateway, OPERATION, { headers: { ...headers, 'idempotency-key': _what }, body })
    expect(answer.status).toBe(status)
    expect(await countSideEffects(gateway)).toEqual(before)
  })
})

test('all errors are returned at once, in the order of the body', async () => {
  const answer = await rejected({
    metadata: { endToEndId: ' ' },
    from: { account: { type: 'bban', bban: '1' }, contactInformation: { name: 'x'.repeat(71) }, currency: 'NOK' },
    to: { account: { type: 'bban' }, contactInformation: { name: '½' } },
    amount: { amount: '1e3', currency: 'EUR' },
    dueDate: '2020-01-01',
    remittanceInformation: { type: 'ocr', value: '1' },
    purposeCode: 'GIFT',
  })
  expect(answer.status).toBe(422)
  expect(answer.body).toMatchObject([
    { code: 'InvalidRequest', path: '.metadata.endToEndId' },
    { code: 'InvalidBBAN', path: '.from.account.bban' },
    { code: 'SenderNameTooLong', path: '.from.contactInformation.name' },
    { code: 'InvalidRequest', path: '.to.account.bban' },
    { code: 'InvalidCharacters', path: '.to.contactInformation.name' },
    { code: 'InvalidAmount', path: '.amount.amount' },
    { code: 'InvalidAmount', path: '.amount.currency' },
    { code: 'InvalidDueDate', path: '.dueDate' },
    { code: 'InvalidRemittanceInfo', path: '.remittanceInformation.value' },
    { code: 'InvalidRequest', path: '.purposeCode' },
  ])
})

test('errors follow the order of the fields in the partner’s body', async () => {
  const { dueDate: _dueDate, amount: _amount, ...rest } = domesticPayment(gateway)
  const body = { dueDate: '2020-01-01', ...rest, amount: { currency: 'NOK', amount: '0' } }
  const answer = await sendRawRequest(gateway, OPERATION, { headers, body })
  expect(answer.body).toMatchObject([{ path: '.dueDate' }, { path: '.amount.amount' }])
})

test('a rejection under an Idempotency-Key is repeated byte for byte, and the bank is called neither time', async () => {
  const before = await countSideEffects(gateway)
  const body = domesticPayment(gateway, { dueDate: '2020-01-01' })
  const send = () =>
    sendRawRequest(gateway, OPERATION, { headers: { ...headers, 'idempotency-key': 'refused-once' }, body })
  const [first, again] = [await send(), await send()]
  expect(first.status).toBe(422)
  expect(first.headers.has('idempotent-replayed')).toBe(false)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect([again.status, JSON.stringify(again.body)]).toEqual([first.status, JSON.stringify(first.body)])
  expect(await countSideEffects(gateway)).toEqual(before)
})

describe('a valid domestic payment that is not permitted', () => {
  test('from an account that is not on the consent: ACCESS_DENIED', async () => {
    expect(await rejected(fromAccount('86011117947'))).toMatchObject({
      status: 400,
      body: { failure: 'ACCESS_DENIED', message: expect.stringContaining('not on this consent') },
    })
  })

  test('from an account of another company that the user also pays for: ACCESS_DENIED', async () => {
    expect(await rejected(fromAccount(VESTAVIND_ACCOUNT))).toMatchObject({
      status: 400,
      body: { failure: 'ACCESS_DENIED', message: expect.stringContaining('not on this consent') },
    })
  })

  test('by a user who may see the account but not pay from it: ACCESS_DENIED as the bank reports, and nothing is stored', async () => {
    const { consentId } = await acceptedConsent(gateway, INGRID_WHO_MAY_ONLY_SEE)
    const { paymentsAtBank, payments, history } = await countSideEffects(gateway)
    const body = domesticPayment(gateway)
    const answer = await sendRawRequest(gateway, OPERATION, { headers: { ...headers, 'consent-id': consentId }, body })
    expect(answer).toMatchObject({
      status: 400,
      body: { failure: 'ACCESS_DENIED', message: expect.stringContaining('The bank denies access') },
    })
    expect(await countSideEffects(gateway)).toMatchObject({ paymentsAtBank, payments, history, running: 0n })
  })

  test('to a creditor that requires a KID, without one: INVALID_OCR, and nothing is stored', async () => {
    const { paymentsAtBank, payments, history } = await countSideEffects(gateway)
    const body = { ...domesticPayment(gateway), ...toAccount(KID_ONLY_ACCOUNT) }
    const answer = await sendRawRequest(gateway, OPERATION, { headers, body })
    expect(answer).toMatchObject({ status: 400, body: { failure: 'INVALID_OCR' } })
    expect(await countSideEffects(gateway)).toMatchObject({ paymentsAtBank, payments, history })
  })

  test('to a creditor that requires a KID, with one: accepted', async () => {
    const body = { ...domesticPayment(gateway), ...toAccount(KID_ONLY_ACCOUNT), ...ocr('01290865') }
    expect(await sendRawRequest(gateway, OPERATION, { headers, body })).toMatchObject({ status: 200 })
  })

  test('under a consent that is not accepted yet: INVALID_CONSENT, which names the status', async () => {
    const started = await gateway.client.createConsent({
      psu: PSU,
      body: { bic: 'FJORNO22', organizationNumber: '987654325', userId: KARI, callbackUrl: CALLBACK },
    })
    expect(await rejected({}, { 'consent-id': started.id })).toMatchObject({
      status: 400,
      body: {
        failure: 'INVALID_CONSENT',
        message: expect.stringMatching(/^The consent has been AUTHORIZATION_REQUIRED since 2\d{3}-/),
      },
    })
  })

  test('under a consent that the bank has ended meanwhile: INVALID_CONSENT, and the consent is revoked here too', async () => {
    const { consentId } = await acceptedConsent(gateway, OLA)
    const control = openSandboxBankControl(gateway.bank)
    const read = async () =>
      (await sendRawRequest(gateway, ['GET', '/api/v2/consents'], { headers: { ...headers, 'consent-id': consentId } }))
        .body
    await control.postControl(`/consents/${(await control.consents()).at(-1)?.consentId}/status`, {
      consentStatus: 'revokedByPsu',
    })
    expect(await read()).toMatchObject({ status: 'ACCEPTED' })
    const order = { ...domesticPayment(gateway), ...amount(CONSENT_REJECTED_BY_BANK) }
    const answer = await sendRawRequest(gateway, OPERATION, {
      headers: { ...headers, 'consent-id': consentId },
      body: order,
    })
    expect(answer).toMatchObject({ status: 400, body: { failure: 'INVALID_CONSENT' } })
    expect(await read()).toMatchObject({ status: 'REVOKED', statusReason: 'USER' })
  })

  test('under a consent that the bank does not accept for this order but reports as valid: it stays accepted', async () => {
    const body = { ...domesticPayment(gateway), ...amount(CONSENT_REJECTED_BY_BANK) }
    expect(await sendRawRequest(gateway, OPERATION, { headers, body })).toMatchObject({
      status: 400,
      body: { failure: 'INVALID_CONSENT', message: expect.stringContaining('The bank does not accept the consent') },
    })
    expect((await sendRawRequest(gateway, ['GET', '/api/v2/consents'], { headers })).body).toMatchObject({
      status: 'ACCEPTED',
    })
  })

  test('under another partner’s consent: as if it did not exist', async () => {
    const other = await gateway.otherPartner()
    const { consentId } = await acceptedConsent(other, OLA)
    const theirs = await rejected({}, { 'consent-id': consentId })
    expect(theirs).toMatchObject({ status: 400, body: { failure: 'INVALID_CONSENT' } })
    expect(withoutRequestId(theirs)).toEqual(withoutRequestId(await rejected({}, { 'consent-id': UNKNOWN_ID })))
  })
})

describe('a domestic payment of a company that is not served', () => {
  const vestavind = async () => {
    const { rows } = await gateway.context.database.pool.query('select id from partners where name = $1', [
      'Demo partner',
    ])
    return { ...VESTAVIND, partnerId: String(rows[0].id) }
  }
  const setCompany = (assignment: string) =>
    gateway.context.database.pool.query(`update companies set ${assignment} where organisation_number = $1`, [
      VESTAVIND.organisationNumber,
    ])
  let consentId: string
  beforeAll(async () => {
    await addCompany(gateway.context, 'test', await vestavind())
    consentId = (await acceptedConsent(gateway, KARI, { organizationNumber: VESTAVIND.organisationNumber })).consentId
  })

  test.each([
    ['active_subscription = false', 'The subscription of Vestavind Eiendom AS is not active'],
    ["services = '{AIS}'", 'Vestavind Eiendom AS is registered for account information only; payments need onboarding'],
    ['onboarded = false', 'Vestavind Eiendom AS is registered for account information only; payments need onboarding'],
  ])('%s: 403 with the reason', async (assignment, text) => {
    await setCompany("active_subscription = true, services = '{AIS,PIS}', onboarded = true")
    await setCompany(assignment)
    const answer = await rejected(fromAccount(VESTAVIND_ACCOUNT), { 'consent-id': consentId })
    expect(answer).toMatchObject({ status: 403, body: { message: text } })
    expect(answer.body).not.toHaveProperty('failure')
  })

  test('is accepted once the company is served', async () => {
    await setCompany("active_subscription = true, services = '{AIS,PIS}', onboarded = true")
    const body = { ...domesticPayment(gateway), ...fromAccount(VESTAVIND_ACCOUNT) }
    const answer = await sendRawRequest(gateway, OPERATION, { headers: { ...headers, 'consent-id': consentId }, body })
    expect(answer).toMatchObject({ status: 200 })
  })
})

describe('a domestic payment is accepted', () => {
  test.each<[string, object]>([
    ['with unknown fields', { colour: 'blue', to: { ...to, nickname: 'Granli' } }],
    ['with the organisation number as a JSON number', { from: { ...from, organizationNumber: 987654325 } }],
    ['with account numbers written in groups', { ...fromAccount('8050 11 00017'), ...toAccount('8050.12.00011') }],
    [
      'with names and messages of the bank’s maximum length',
      { ...toName('Å'.repeat(70)), ...message('x'.repeat(140)) },
    ],
    ['without remittance information', { remittanceInformation: undefined }],
    ['of one øre', amount('0.01')],
    ['of the maximum amount of the bank', amount('25000000')],
  ])('%s', async (_what, changes) => {
    expect(await send(changes)).toMatchObject({ status: 200, body: { paymentStatus: { status: 'Unsigned' } } })
  })
})
