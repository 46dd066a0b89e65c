/** Shows how each SCA approach is derived from a bank's answer, and the errors for ambiguous answers. */
import decodeQr from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { readPng } from '../../../../../sandbox/testing/read-png.ts'
import { renderQrImage } from '../../../../platform/render-qr-image.ts'
import { BankUnreachable } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankRequest, BankResponse } from '../../../connector/connector-dependencies.ts'
import type { AuthorisationRequest, StartedAuthorisation } from '../../../connector/sca-authorisation.ts'
import { SAMPLE_RETURN_URLS, sampleBank, sampleCaller, sampleSubmittedOrder } from '../../../testing/samples.ts'
import { sandboxBank } from '../../../testing/sandbox-samples.ts'
import { scriptedBank } from '../../../testing/scripted-bank.ts'

const PLACE = { xs2aUrl: 'http://127.0.0.1:8083', pagesUrl: 'http://127.0.0.1:8081' }
const PNG = renderQrImage('bankid.token.1.aaaa')
const TOKEN = '67df3917-fa0d-44e5-b327-edcc928297f8'
const DECOUPLED = { 'aspsp-sca-approach': 'DECOUPLED' }
const STARTED = { scaStatus: 'received', authorisationId: 'a1' }
const NOW = Temporal.Instant.from('2026-11-21T12:00Z')

describe('a preference', () => {
  test.each([
    ['FJORNO22', null, ['true', undefined, undefined]],
    ['FJORNO22', 'qr', ['true', undefined, undefined]],
    ['MALBSESS', null, ['true', undefined, undefined]],
    ['MALBSESS', 'redirect', ['true', undefined, undefined]],
    ['MALBSESS', 'qr', ['false', 'true', 'true']],
    ['VASASESS', 'qr', ['false', 'true', undefined]],
    ['KATTDK22', null, ['false', 'true', undefined]],
    ['KATTDK22', 'redirect', ['false', 'true', undefined]],
  ] as const)('at %s for %s is sent in the bank’s way', async (bic, preferred, reported) => {
    const { requested } = await start({ ...STARTED, scaStatus: 'exempted' }, { bic, preferred })
    const headers: BankRequest['headers'] = requested[0]?.headers ?? {}
    const names = ['tpp-redirect-preferred', 'tpp-decoupled-preferred', 'qr-code-required']
    expect(names.map((name) => headers[name])).toEqual(reported)
    // The standard always recommends it: a bank may redirect the browser all the same.
    expect(headers['tpp-redirect-uri']).toBe(SAMPLE_RETURN_URLS.success)
  })
})

describe('a bank whose response', () => {
  test.each(['exempted', 'finalised'])('is %s requires no signature', async (scaStatus) => {
    expect((await start({ ...STARTED, scaStatus })).started).toEqual({
      authorisationId: 'a1',
      approach: { type: 'none' },
      returnSecret: null,
    })
  })

  test('has a link for the browser has it redirected there, whatever was preferred', async () => {
    const _links = { scaRedirect: { href: 'http://127.0.0.1:8081/sca/1' } }
    const { started } = await start({ ...STARTED, _links }, { bic: 'MALBSESS', preferred: 'qr' })
    expect(started.approach).toEqual({ type: 'redirect', url: 'http://127.0.0.1:8081/sca/1' })
  })

  test('is DECOUPLED has its user sign in the app, with the bank’s text', async () => {
    const body = { ...STARTED, psuMessage: 'Åbn MitID-appen', _links: { scaStatus: { href: '/x' } } }
    const { started } = await start(body, { bic: 'KATTDK22', headers: DECOUPLED })
    expect(started.approach).toEqual({ type: 'decoupled', text: 'Åbn MitID-appen', qr: null })
  })

  test('has no approach, but a text for the user, is assumed to use the app', async () => {
    const { started } = await start({ ...STARTED, psuMessage: 'Åbn MitID-appen' }, { bic: 'KATTDK22' })
    expect(started.approach).toMatchObject({ type: 'decoupled', text: 'Åbn MitID-appen' })
  })

  test('has no approach, no link and no text has started nothing that can be signed', async () => {
    await expect(start(STARTED)).rejects.toMatchObject({ kind: 'misconfigured' })
    await expect(start({ ...STARTED, psuMessage: 'N/A' })).rejects.toMatchObject({ kind: 'misconfigured' })
  })

  test('has failed already is rejected with its text', async () => {
    const failed = start({ ...STARTED, scaStatus: 'failed', psuMessage: 'No app is registered' })
    await expect(failed).rejects.toMatchObject({ kind: 'access-denied', message: 'No app is registered' })
  })

  test.each([
    ['EMBEDDED', { headers: { 'aspsp-sca-approach': 'EMBEDDED' } }, {}],
    ['embedded in another case', { headers: { 'aspsp-sca-approach': 'Embedded' } }, {}],
    ['a link for a password', {}, { updatePsuAuthentication: { href: '/x' } }],
    ['a link for an OTP', {}, { authoriseTransaction: { href: '/x' } }],
    ['a choice of methods', {}, { selectAuthenticationMethod: { href: '/x' } }],
  ])('has %s requires credentials on our page, and is rejected', async (_what, option, _links) => {
    const rejected = start({ ...STARTED, psuMessage: 'Type your code', _links }, option)
    await expect(rejected).rejects.toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('The bank requires the embedded'),
    })
  })

  test('has unknown methods is not stopped by them', async () => {
    const scaMethods = [{ authenticationType: 'TELEPATHY', authenticationMethodId: 7 }]
    const body = { ...STARTED, scaMethods, chosenScaMethod: 'odd', _links: { scaRedirect: { href: '/sca/1' } } }
    const bank = { ...sampleBank(), linkHosts: ['xs2a.fjordbanken.example'] }
    expect((await start(body, { bank })).started.approach.type).toBe('redirect')
  })
})

describe('a QR code', () => {
  test('as an image with its text is passed on, dynamic and for one second', async () => {
    const challengeData = { image: PNG.toString('base64'), data: ['bankid.token.1.aaaa'] }
    expect(await codeOf(challengeData, 'VASASESS')).toEqual({
      image: PNG.toString('base64'),
      code: 'bankid.token.1.aaaa',
      kind: 'Dynamic',
      validUntil: NOW.add({ seconds: 1 }),
    })
  })

  test('as a data URL is passed on as the image in it', async () => {
    const image = PNG.toString('base64')
    expect(await codeOf({ image: `data:image/png;base64,${image}` }, 'VASASESS')).toMatchObject({ image, code: null })
  })

  test('whose image cannot be shown is fetched by its link, where it has one', async () => {
    const { started } = await startQr({ image: 'R0lGODlh', imageLink: '/codes/1' }, 'MALBSESS')
    expect(qrOf(started)).toMatchObject({ image: PNG.toString('base64'), kind: 'Dynamic' })
  })

  test('as a link to an image is fetched from the bank, and has no text', async () => {
    const { started, requested } = await startQr({ imageLink: '/codes/1' }, 'MALBSESS')
    expect(qrOf(started)).toMatchObject({ image: PNG.toString('base64'), code: null, kind: 'Dynamic' })
    expect(requested[1]).toMatchObject({ method: 'GET', url: 'http://127.0.0.1:8088/codes/1' })
    expect(Object.keys(requested[1]?.headers ?? {}).sort()).toEqual(['accept', 'x-request-id'])
  })

  test.each(['/codes/gone', '/codes/silent'])(
    'as a link (%s) whose image is not ready yet is returned with the next one',
    async (at) => {
      const { started } = await startQr({ imageLink: at }, 'MALBSESS')
      expect(qrOf(started)).toEqual({ image: null, code: null, kind: 'Dynamic', validUntil: NOW.add({ seconds: 1 }) })
    },
  )

  test('of as many characters as can be drawn, but more bytes, is missing, and does not overflow', async () => {
    const tooLong = { data: ['\u5b57'.repeat(1000)] }
    await expect(codeOf(tooLong, 'VASASESS')).rejects.toMatchObject({ kind: 'misconfigured' })
    expect(await codeOf({ data: ['\u5b57'.repeat(333)] }, 'VASASESS')).toMatchObject({ kind: 'Static' })
  })

  test('as a link to another host is not followed', async () => {
    const rejected = startQr({ imageLink: 'https://evil.example/codes/1' }, 'MALBSESS')
    await expect(rejected).rejects.toMatchObject({ kind: 'misconfigured' })
  })

  test('as a start token is drawn here, valid as long as the order', async () => {
    const qr = await codeOf({ data: [TOKEN] }, 'SKARSESS')
    const code = `bankid:///?autostarttoken=${TOKEN}&redirect=null`
    expect(qr).toMatchObject({ code, kind: 'Static', validUntil: NOW.add({ seconds: 30 }) })
    expect(decodeQr(readPng(Buffer.from(qr?.image ?? '', 'base64')))).toBe(code)
  })

  test('as a bare text instead of a list is read all the same', async () => {
    expect(await codeOf({ data: TOKEN }, 'SKARSESS')).toMatchObject({ kind: 'Static' })
  })

  test.each([
    ['no PNG', Buffer.from('GIF89a…').toString('base64')],
    ['larger than the standard allows', Buffer.concat([PNG, Buffer.alloc(512 * 1024)]).toString('base64')],
    ['no base64', '<script>'],
  ])('whose image is %s is drawn from its text, or is missing', async (_what, image) => {
    const drawn = await codeOf({ image, data: ['bankid.token.1.aaaa'] }, 'VASASESS')
    expect(decodeQr(readPng(Buffer.from(drawn?.image ?? '', 'base64')))).toBe('bankid.token.1.aaaa')
    await expect(codeOf({ image }, 'VASASESS')).rejects.toMatchObject({ kind: 'misconfigured' })
  })

  test.each([
    null,
    'text',
    { data: [] },
    { data: [7] },
    { data: [''] },
    { otpMaxLength: 6 },
    { data: ['x'.repeat(1001)] },
  ])('in challenge data such as %j is missing', async (challengeData) => {
    await expect(codeOf(challengeData, 'VASASESS')).rejects.toMatchObject({ kind: 'misconfigured' })
  })

  test('that is dynamic is read again while the authorisation is open, and no longer afterwards', async () => {
    const read = (scaStatus: string) => reading({ scaStatus, challengeData: { data: ['bankid.token.2.bbbb'] } })
    expect(await read('started')).toMatchObject({ state: 'open', qr: { code: 'bankid.token.2.bbbb' } })
    expect(await read('finalised')).toMatchObject({ state: 'signed', qr: null })
  })

  test('that is static stays the first one', async () => {
    expect(await reading({ scaStatus: 'received', challengeData: { data: [TOKEN] } })).toMatchObject({ qr: null })
  })

  test.each(['/codes/gone', '/codes/silent', 'https://evil.example/codes/1'])(
    'whose image is at %s cannot be shown, and the authorisation stays as it is',
    async (imageLink) => {
      const read = await reading({ scaStatus: 'started', challengeData: { imageLink } })
      expect(read).toMatchObject({ state: 'open', qr: null })
    },
  )
})

describe('several methods', () => {
  const [PUSH, PHOTO, SMS] = [
    { authenticationType: 'PUSH_OTP', authenticationMethodId: 'm/1', name: 'App', explanation: null },
    { authenticationType: 'PHOTO_OTP', authenticationMethodId: 'm2' },
    { authenticationType: 'SMS_OTP', authenticationMethodId: 'm3', name: ' ', explanation: 'To your\nphone' },
  ]
  const _links = { selectAuthenticationMethod: { href: '/x' }, scaStatus: { href: '/y' } }
  const offered = { ...STARTED, scaStatus: 'psuAuthenticated', scaMethods: [PUSH, PHOTO, SMS], _links }
  const SWEDISH = { bic: 'VASASESS', preferred: 'qr' } as const

  test('are for the user to choose, whether or not the bank states the approach', async () => {
    for (const headers of [{}, DECOUPLED]) {
      const { started, requested } = await start(offered, { bic: 'KATTDK22', headers })
      expect(started.approach).toEqual({
        type: 'method-choice',
        methods: [
          { id: 'm/1', name: 'App', explanation: null, hasCode: false },
          { id: 'm2', name: 'm2', explanation: null, hasCode: true },
          { id: 'm3', name: 'm3', explanation: 'To your phone', hasCode: false },
        ],
      })
      expect(requested).toHaveLength(1)
    }
  })

  test('of which one is chosen already are none; of which none can be read, they are no answer', async () => {
    const psuMessage = 'Open the app'
    for (const change of [
      { chosenScaMethod: PUSH },
      { scaMethods: ['BankID'] },
      { scaMethods: {} },
      { scaMethods: null },
    ]) {
      const { started } = await start({ ...offered, psuMessage, ...change }, { bic: 'KATTDK22', headers: DECOUPLED })
      expect(started.approach).toEqual({ type: 'decoupled', text: psuMessage, qr: null })
    }
    const unreadable = { ...offered, psuMessage, scaMethods: ['BankID', {}, { authenticationMethodId: '' }] }
    const error = { kind: 'unavailable', name: 'UnreadableAnswerError' }
    await expect(start(unreadable, { bic: 'KATTDK22', headers: DECOUPLED })).rejects.toMatchObject(error)
  })

  test('are rejected at once where the bank requires secrets of the user', async () => {
    const asks = { ..._links, updatePsuAuthentication: { href: '/z' } }
    await expect(start({ ...offered, _links: asks })).rejects.toMatchObject({ kind: 'unsupported' })
    const embedded = start(offered, { headers: { 'aspsp-sca-approach': 'EMBEDDED' } })
    await expect(embedded).rejects.toMatchObject({ kind: 'unsupported' })
  })

  test('need no choice where there is one, or one with a code that is preferred', async () => {
    for (const [scaMethods, option, chosen] of [
      [[SMS], { bic: 'KATTDK22' }, 'm3'],
      [[PUSH, PHOTO, SMS], SWEDISH, 'm2'],
    ] as const) {
      const { started, requested } = await start({ ...offered, scaMethods }, { ...option, headers: DECOUPLED })
      expect(started.approach).toMatchObject({ type: 'decoupled' })
      expect(requested[1]).toMatchObject({ method: 'PUT', url: expect.stringMatching(/\/authorisations\/a1$/) })
      expect(JSON.parse(String(requested[1]?.body))).toEqual({ authenticationMethodId: chosen })
    }
  })

  test.each([
    [
      { scaStatus: 'scaMethodSelected', psuMessage: 'Open the app' },
      { type: 'decoupled', text: 'Open the app', qr: null },
    ],
    [
      { scaStatus: 'scaMethodSelected', _links },
      { type: 'decoupled', text: null, qr: null },
    ],
    [{ scaStatus: 'finalised' }, { type: 'none' }],
    [
      { scaStatus: 'started', challengeData: { data: [TOKEN] } },
      { type: 'decoupled', qr: { kind: 'Static' } },
    ],
  ])('lead after the choice to %j', async (body, approach) => {
    expect(await selected(body)).toMatchObject(approach)
  })

  test('of which the chosen one needs a code of the user are not supported', async () => {
    const asks = { scaStatus: 'scaMethodSelected', _links: { authoriseTransaction: { href: '/x' } } }
    await expect(selected(asks)).rejects.toMatchObject({ kind: 'unsupported' })
  })

  async function selected(body: object) {
    const { connector } = scriptedBank(() => ({ body }))
    const { authorisations } = connector.domesticPayments ?? expect.fail('No payments are offered')
    const caller = sampleCaller({ bank: sandboxBank('VASASESS', PLACE) })
    return await authorisations.selectMethod?.(caller, sampleSubmittedOrder(), { authorisationId: 'a1' }, 'm1')
  }
})

type Option = {
  readonly bic?: string
  readonly bank?: BankCaller['bank']
  readonly preferred?: AuthorisationRequest['preferred']
  readonly headers?: Readonly<Record<string, string>>
}

/** Starts the authorisation of a payment at a bank with this response, and an image at `/codes/1`. */
async function start(body: object, { bic, bank, preferred = null, headers = {} }: Option = {}) {
  const { connector, requested } = scriptedBank(
    (request) => imageAnswer(request) ?? { ...answer(body), status: 201, headers },
  )
  const caller = sampleCaller({ bank: bank ?? (bic === undefined ? sampleBank() : sandboxBank(bic, PLACE)) })
  const payments = connector.domesticPayments ?? expect.fail('No payments are offered')
  const started = await payments.authorisations.start(caller, sampleSubmittedOrder(), {
    back: SAMPLE_RETURN_URLS,
    preferred,
  })
  return { started, requested }
}

function startQr(challengeData: unknown, bic: string) {
  return start({ ...STARTED, challengeData }, { bic, preferred: 'qr', headers: DECOUPLED })
}

async function codeOf(challengeData: unknown, bic: string) {
  return qrOf((await startQr(challengeData, bic)).started)
}

function qrOf({ approach }: StartedAuthorisation) {
  return approach.type === 'decoupled' ? approach.qr : null
}

async function reading(body: object) {
  const { connector } = scriptedBank((request) => imageAnswer(request) ?? answer(body))
  const caller = sampleCaller({ bank: sandboxBank('MALBSESS', PLACE) })
  const begun = { authorisationId: 'a1', partlySigned: false }
  return await connector.domesticPayments?.authorisations.read(caller, sampleSubmittedOrder(), begun)
}

function imageAnswer({ url }: BankRequest): BankResponse | undefined {
  if (!url.includes('/codes/')) {
    return undefined
  }
  if (url.endsWith('silent')) {
    throw new BankUnreachable('gone', true)
  }
  return url.endsWith('/codes/1')
    ? { status: 200, headers: { 'content-type': 'image/png' }, body: '', bytes: PNG }
    : { status: 404, headers: {}, body: '', bytes: Buffer.from('gone') }
}

function answer(body: object): BankResponse {
  return { status: 200, headers: {}, body: JSON.stringify(body) }
}
