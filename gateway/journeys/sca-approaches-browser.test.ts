/** Browser journeys without scripts through every SCA approach: redirect, OAuth, decoupled and QR code. */
import decodeQr from 'qr/decode.js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readPng } from '../../sandbox/testing/read-png.ts'
import { type ScaSessionRequest, startScaSession } from '../authorisations/start-sca-session.ts'
import { consentScaSubject } from '../consents/consent-sca-subject.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { type BrowserFixture, openBrowserFixture, press, textOf } from '../testing/browser/browser-fixture.ts'
import type { BrowserUser } from '../testing/browser/browser-user.ts'

/** Dozens of screenshots take long on a busy machine. */
const ALBUM_MILLISECONDS = 90_000

/** Pages that another journey checks with axe-core are checked for their width (`fit`), all others completely (`look`). */
let stage: BrowserFixture
beforeAll(async () => {
  stage = await openBrowserFixture()
})
afterEach(async () => {
  expect(await stage.closeUsers()).toEqual([])
})
afterAll(() => stage.close())

test('OAuth for each signature: the bank’s own log-in, and back with a code', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const bank = nordicBank('ELVANO22')
  const user = await visitor()
  const consent = await stage.createConsentLink(bank)
  await user.page.goto(consent.link)
  await press(user, 'Continue to Elvebanken')
  await decideAtBank(user, 'Give access', 'oauth')
  expect(await stage.back(user)).toBe('success')
  expect(await consentStatus(consent.id)).toBe('ACCEPTED')
  await signPayment(user, bank, 'Elvebanken')
})

test('OAuth before anything else: the user logs in, and then gives access', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const bank = nordicBank('NORDSESS')
  const user = await visitor()
  const consent = await stage.createConsentLink(bank)
  await user.page.goto(consent.link)
  await user.fit('pre-step-1-review')
  await press(user, 'Continue to Norrbanken')
  await user.page.getByRole('button', { name: 'Log in and give access' }).waitFor()
  await user.look('pre-step-2-log-in')
  await press(user, 'Log in and give access')
  await user.page.getByRole('heading', { name: 'One step left' }).waitFor()
  await user.fit('pre-step-3-next')
  await press(user, 'Continue to Norrbanken')
  await decideAtBank(user, 'Give access')
  expect(await stage.back(user)).toBe('success')
  expect(await consentStatus(consent.id)).toBe('ACCEPTED')
})

test('the app on a phone: our page says what to do, and continues by itself', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const bank = nordicBank('KATTDK22')
  const user = await visitor()
  const phone = await visitor()
  const consent = await stage.createConsentLink(bank)
  await user.page.goto(consent.link)
  await user.fit('app-1-review')
  await press(user, 'Continue in your app')
  await user.page.getByRole('heading', { name: 'Sign in your app' }).waitFor()
  await user.look('app-2-waiting')
  expect(await textOf(user)).toContain('MitID')
  await phone.page.goto(`${stage.gateway.bank.pagesUrl}/app`)
  await phone.look('app-3-on-the-phone')
  await phone.page.getByRole('button', { name: 'Give access to your accounts' }).click()
  await decideAtBank(phone, 'Give access')
  expect(await stage.back(user)).toBe('success')
  expect(await consentStatus(consent.id)).toBe('ACCEPTED')
  await phone.look('app-4-signed')
})

// One bank with a text, and one that returns an image only.
test.each(['VASASESS', 'MALBSESS'])(
  'a code on our own page at %s: the phone scans what the screen shows, and our page continues by itself',
  { timeout: ALBUM_MILLISECONDS },
  async (bic) => {
    const bank = nordicBank(bic)
    const user = await visitor()
    const phone = await visitor()
    await phone.page.goto(`${stage.gateway.bank.pagesUrl}/app`)
    const consent = await askWithCode(bank)
    await user.page.goto(consent.link)
    await press(user, 'Continue in your app')
    await user.page.getByRole('img').waitFor()
    await (bic === 'VASASESS' ? user.look(`code-${bic}`) : user.fit(`code-${bic}`))
    await phone.page.getByLabel('Scan a code').fill(await scan(user))
    await press(phone, 'Scan')
    await decideAtBank(phone, 'Give access')
    expect(await stage.back(user)).toBe('success')
    expect(await consentStatus(consent.id)).toBe('ACCEPTED')
  },
)

test('a code for the partner to show encodes the text next to it', async () => {
  const bank = nordicBank('SKARSESS')
  const [paymentId = ''] = await stage.approver.order(bank, 1)
  const { id, sca } = await stage.approver.approve(bank, [paymentId], { preferredScaMethod: 'Qr' })
  const shown = sca?.type === 'qr' ? sca : undefined
  expect(decodeQr(readPng(Buffer.from(shown?.image ?? '', 'base64')))).toBe(shown?.code)
  const phone = await visitor()
  await phone.page.goto(`${stage.gateway.bank.pagesUrl}/app`)
  await phone.page.getByLabel('Scan a code').fill(shown?.code ?? '')
  await press(phone, 'Scan')
  await decideAtBank(phone, 'Sign payment')
  await phone.page.getByRole('status').getByText('Signed').waitFor()
  await expect.poll(async () => (await stage.approver.read(bank, id)).status).toBe('ACCEPTED')
})

test('a link that is returned with the order, and a confirmation code that the browser brings back', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const bank = nordicBank('PAIJFIHH')
  await signPayment(await visitor(), bank, 'Päijänteen Pankki', 'confirmation')
})

async function visitor(): Promise<BrowserUser> {
  return await stage.visitor({ javaScript: false, album: 'ways' })
}

/** On the bank's pages, or in its app: identifies the user, and approves. */
async function decideAtBank(user: BrowserUser, yes: string, name?: string): Promise<void> {
  await user.page.getByRole('group', { name: 'Who are you?' }).waitFor()
  await press(user, 'Continue')
  await user.page.getByRole('button', { name: yes }).waitFor()
  if (name !== undefined) {
    await user.fit(`${name}-bank-decision`)
  }
  await press(user, yes)
}

async function signPayment(user: BrowserUser, bank: NordicBank, bankName: string, name?: string): Promise<void> {
  const [paymentId = ''] = await stage.approver.order(bank, 1)
  const { link } = await stage.createApprovalLink(bank, [paymentId])
  await user.page.goto(link)
  await press(user, `Continue to ${bankName}`)
  await decideAtBank(user, 'Sign payment', name)
  expect(await stage.back(user)).toBe('success')
  expect(await stage.approver.statuses([paymentId])).toEqual(['InProgress'])
}

async function consentStatus(consentId: string): Promise<string> {
  return (await stage.gateway.client.getConsent({ consentId })).status
}

/** What a camera would read from the screen. */
async function scan({ page }: BrowserUser): Promise<string> {
  const address = new URL((await page.getByRole('img').getAttribute('src')) ?? '', page.url())
  const answer = await page.context().request.get(address.href)
  return decodeQr(readPng(await answer.body()))
}

/** Requests a QR code that is shown on our own page, as payrolls do, whose partners can show none. */
async function askWithCode(bank: NordicBank): Promise<{ readonly id: string; readonly link: string }> {
  const { context } = stage.gateway
  const { id } = await stage.createConsentLink(bank)
  const { rows } = await context.database.pool.query<{ partner: string }>(
    'select partner_id as partner from consents where id = $1',
    [id],
  )
  const { bic, users } = bank
  const request: ScaSessionRequest = {
    partnerId: rows[0]?.partner ?? '',
    kind: 'consent',
    subjectId: id,
    consentId: id,
    bic,
    callbackUrl: stage.partner.url,
    expiresAt: context.clock.now().add({ minutes: 10 }),
    psu: null,
    userId: users[0],
    preferred: 'qr',
    codeForPartner: false,
    steps: [
      {
        targetType: 'consent',
        targetId: id,
        shown: [[{ label: 'company', value: bank.companyName, kind: 'text' }]],
      },
    ],
  }
  const { url } = await startScaSession(context, consentScaSubject, request, async () => true)
  return { id, link: url }
}
