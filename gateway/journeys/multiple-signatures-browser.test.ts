/** Browser journeys with several signatures: baskets, chains, second signers, cancellations and other browsers. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { maskUserId } from '../consents/consent.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { type BrowserFixture, openBrowserFixture, press, textOf } from '../testing/browser/browser-fixture.ts'
import type { BrowserUser } from '../testing/browser/browser-user.ts'
import { fromAccount } from '../testing/payments/payment-driver.ts'

/** Dozens of screenshots take long on a busy machine. */
const ALBUM_MILLISECONDS = 90_000
const FJORD = nordicBank('FJORNO22')
/** Of a longer basket only our page differs. */
const SIGNED_MAX = 3
/** A newer consent here leaves the older one in force. */
const HAVBANKEN = nordicBank('HAVBNO22')
const VESTKYST = nordicBank('VSKYNO22')

let stage: BrowserFixture
beforeAll(async () => {
  stage = await openBrowserFixture()
})
afterEach(async () => {
  expect(await stage.closeUsers()).toEqual([])
})
afterAll(() => stage.close())

test.each([
  { count: 3, shows: 'each on its own beneath their total' },
  { count: 5, shows: 'as a list beneath their total' },
])(
  'a basket of $count payments is shown $shows, and signed with one signature',
  { timeout: ALBUM_MILLISECONDS },
  async ({ count }) => {
    const ids = await stage.approver.order(VESTKYST, count)
    const { link } = await stage.createApprovalLink(VESTKYST, ids)
    const user = await visitor()
    await user.page.goto(link)
    await user.look(`basket-of-${count}-1-review`)
    const shown = await textOf(user)
    expect(shown).toContain(`Sign ${count} payments`)
    expect(shown).toContain('signed together, with one signature')
    expect(shown.split('Granli Trelast AS')).toHaveLength(count + 1)
    expect(shown).toContain(`Total of ${count} payments`)
    const each = user.page.locator(count > 4 ? '.things strong + span' : 'dl:not(.totals) .amount dd')
    const sum = numbersOf(await each.allTextContents()).reduce((a, b) => a + b)
    expect(numbersOf(await user.page.locator('.totals .amount dd').allTextContents())).toEqual([sum])
    expect(await user.page.locator('.totals').textContent()).toContain('From account')
    if (count <= SIGNED_MAX) {
      await press(user, 'Continue to Vestkyst Sparebank')
      await press(user, 'Continue')
      await user.page.getByRole('button', { name: 'Sign all payments' }).waitFor()
      await user.look('basket-2-bank-decision')
      await press(user, 'Sign all payments')
      expect(await stage.back(user)).toBe('success')
      expect(new Set(await stage.approver.statuses(ids))).toEqual(new Set(['InProgress']))
    }
  },
)

test('a chain of three that is left half-way leaves the signed one signed, and the rest unsigned', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const ids = await stage.approver.order(FJORD, 3)
  const { link } = await stage.createApprovalLink(FJORD, ids)
  const user = await visitor()
  await user.page.goto(link)
  expect(await textOf(user)).toMatch(/Sign 3 payments\s+Your bank asks you to sign 3 times, one payment at a time\./)
  expect(await marksOf(user)).toEqual(['Next'])
  await user.look('chain-review')
  await press(user, 'Continue to Fjordbanken')
  await signAtBank(user, 'Sign payment')
  await user.page.getByRole('heading', { name: '1 of 3 signed' }).waitFor()
  expect(await textOf(user)).toContain('2 are left.')
  expect(await marksOf(user)).toEqual(['Next'])
  await user.fit('chain-1-of-3')
  await press(user, 'Leave the rest')
  expect(await stage.back(user)).toBe('cancelled')
  expect(await stage.approver.statuses(ids)).toEqual(['InProgress', 'Unsigned', 'Unsigned'])
  await user.page.goto(link)
  await user.page.getByRole('heading', { name: 'Not finished' }).waitFor()
  await user.look('chain-left')
  await user.page.getByRole('link', { name: 'Back to Demo partner' }).click()
  expect(await stage.back(user)).toBe('cancelled')
})

test('two signers: each has a link of their own that says who has signed, and the second starts the execution', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const ids = await stage.approver.order(FJORD, 1, fromAccount(FJORD, FJORD.twoSigners))
  for (const [userId, status] of [
    [FJORD.users[0], 'PartlySigned'],
    [FJORD.users[1], 'InProgress'],
  ] as const) {
    const { link } = await stage.createApprovalLink(FJORD, ids, userId)
    const user = await visitor()
    await user.page.goto(link)
    const isSecond = status === 'InProgress'
    const signedBefore = `Signed so far: user ${maskUserId(FJORD.users[0])}. Your signature is needed, too.`
    expect((await textOf(user)).includes(signedBefore)).toBe(isSecond)
    await user.look(isSecond ? 'second-signer' : 'first-signer')
    await press(user, 'Continue to Fjordbanken')
    await signAtBank(user, 'Sign payment')
    expect(await stage.back(user)).toBe('success')
    expect(await stage.approver.statuses(ids)).toEqual([status])
    await user.page.goto(link)
    await user.page.getByRole('heading', { name: 'Signed' }).waitFor()
    await user.look(isSecond ? 'all-signed' : 'partly-signed')
    const signed = await textOf(user)
    expect(/Another signature is needed: .* Signed so far: you\./.test(signed)).toBe(!isSecond)
  }
})

test('a cancellation is signed like a payment, and the payment is cancelled', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const dueDate = stage.gateway.context.clock.today('Europe/Oslo').add({ days: 14 }).toString()
  const [paymentId = ''] = await stage.approver.order(VESTKYST, 1, { dueDate })
  await (await stage.approver.approve(VESTKYST, [paymentId])).visit()
  const consent = await stage.approver.payer.consentOf(VESTKYST)
  const body = { paymentId, callbackUrl: stage.partner.url }
  const { sca } = await stage.gateway.client.cancelPayment({ ...consent, body })
  const user = await visitor()
  await user.page.goto(sca?.type === 'redirect' ? sca.url : '')
  await user.look('cancellation-1-review')
  expect(await textOf(user)).toContain('Cancel a payment')
  expect(await user.page.getByRole('button').allTextContents()).toEqual([
    'Continue to Vestkyst Sparebank',
    'Keep the payment',
  ])
  await press(user, 'Continue to Vestkyst Sparebank')
  await press(user, 'Continue')
  await user.page.getByRole('button', { name: 'Cancel the payment' }).waitFor()
  await user.look('cancellation-2-bank-decision')
  await press(user, 'Cancel the payment')
  expect(await stage.back(user)).toBe('success')
  expect(await stage.approver.statuses([paymentId])).toEqual(['Cancelled'])
})

// `browser-trust.test.ts` shows what happens when they decline.
test('a consent that returns in another browser than the one that started it is accepted once its user confirms', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const { id, link } = await stage.createConsentLink(HAVBANKEN)
  const left = await visitor()
  await left.page.goto(link)
  await press(left, 'Continue to Havbanken')
  const other = await visitor()
  await other.page.goto(left.page.url())
  await signAtBank(other, 'Give access')
  await other.page.getByRole('heading', { name: 'Did you start this?' }).waitFor()
  await other.look('another-browser')
  expect(await stage.gateway.client.getConsent({ consentId: id })).toMatchObject({ status: 'AUTHORIZATION_REQUIRED' })
  expect(await other.page.getByRole('button', { name: 'No, do not give access' }).count()).toBe(1)
  await press(other, 'Yes, give access')
  expect(await stage.back(other)).toBe('success')
  expect(await stage.gateway.client.getConsent({ consentId: id })).toMatchObject({ status: 'ACCEPTED' })
})

test('an expired link has a friendly page, ours as well as the bank’s, and signs nothing', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const ids = await stage.approver.order(FJORD, 1)
  const { id, link } = await stage.createApprovalLink(FJORD, ids)
  const user = await visitor()
  await user.page.goto(link)
  await press(user, 'Continue to Fjordbanken')
  await user.page.getByRole('heading', { name: 'Log in with BankID' }).waitFor()
  await stage.gateway.client.moveSandboxClock({ body: { advance: 'PT20M' } })
  await user.page.reload()
  await user.look('expired-at-bank')
  expect(await user.page.getByRole('button').count()).toBe(0)
  const stranger = await visitor()
  expect((await stranger.page.goto(link))?.status()).toBe(410)
  await stranger.fit('expired')
  await user.page.goto(link)
  await user.look('expired-for-its-user')
  await user.page.getByRole('link', { name: 'Back to Demo partner' }).click()
  expect(await stage.back(user)).toBe('cancelled')
  expect((await stage.approver.read(FJORD, id)).status).toBe('CANCELLED')
  expect(await stage.approver.statuses(ids)).toEqual(['Unsigned'])
})

async function visitor(): Promise<BrowserUser> {
  return await stage.visitor({ album: 'many' })
}

async function marksOf(user: BrowserUser): Promise<readonly string[]> {
  return await user.page.locator('.mark').allTextContents()
}

async function signAtBank(user: BrowserUser, yes: string): Promise<void> {
  await press(user, 'Continue')
  await press(user, yes)
}

function numbersOf(amounts: readonly string[]): readonly number[] {
  return amounts.map((amount) => Number(amount.replaceAll(/[^\d.]/g, '')))
}
