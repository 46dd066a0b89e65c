/** Tests the first steps of a developer: ticked off as requests arrive, done by buttons and by the commands to copy. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPartner } from '../../../gateway/auth/create-partner.ts'
import { visitBank } from '../../../gateway/testing/browser/bank-user.ts'
import type { SeenPage } from '../../../gateway/testing/browser/form-browser.ts'
import { signInAs, textOf, titleOf } from '../../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI } from '../../../gateway/testing/payments/sample-payments.ts'
import { FIRST_STEPS, findFirstSteps } from './find-first-steps.ts'

const STEPS = ['token', 'consent', 'accepted', 'subscription', 'payment', 'signed'] as const

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  const { pool } = gateway.context.database
  await pool.query('truncate payments, consents, webhook_subscriptions, webhook_deliveries, webhook_inbox_deliveries')
  await pool.query('update clients set first_token_at = null')
})

const developer = () => signInAs(gateway, 'partner-developer')
const overview = async () => await (await developer()).open('/console')
const stepsDoneOn = (page: SeenPage) => [...textOf(page).matchAll(/(Done|Open):/g)].map(([, state]) => state === 'Done')
const stepsDone = async () => stepsDoneOn(await overview())
/** That the first steps up to a number are done. */
const upTo = (count: number) => FIRST_STEPS.map((_step, index) => index < count)

test('they are ticked off as the requests arrive', async () => {
  expect(await stepsDone()).toEqual(upTo(0))
  const consent = await acceptedConsent(gateway)
  expect(await stepsDone()).toEqual(upTo(3))
  const browser = await developer()
  await browser.open('/console/inbox')
  await browser.send('/console/inbox/subscribe')
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  expect(await stepsDone()).toEqual(upTo(5))
  const { sca } = await gateway.client.approvePayments({
    ...consent,
    body: { payments: [paymentId], callbackUrl: CALLBACK },
  })
  await visitBank(sca?.type === 'redirect' ? sca.url : '', { userId: KARI })
  await gateway.sweep()
  expect(await stepsDone()).toEqual(upTo(7))
})

test('buttons do them with real requests, one after the other', async () => {
  const browser = await developer()
  await browser.open('/console')
  for (const [index, step] of STEPS.entries()) {
    const page = await browser.send('/console/first-steps', { step })
    expect([page.status, titleOf(page)], step).toEqual([200, 'Overview'])
    expect(stepsDoneOn(page).slice(0, 6), step).toEqual(upTo(index + 1).slice(0, 6))
  }
  await gateway.sweep()
  expect(await stepsDone()).toEqual(upTo(7))
  expect(textOf(await browser.open('/console/inbox'))).toMatch(/PAYMENT_STATUS_\w+ .*Signature valid/)
})

test('the commands to copy do them as they are, in a shell', async () => {
  const commands: string[] = []
  let page = await overview()
  for (const [index, step] of STEPS.entries()) {
    commands.push(nextCommandOn(page))
    await promisify(execFile)('bash', ['-c', [commands[0], commands.at(-1)].join('\n')])
    page = await overview()
    expect(stepsDoneOn(page).slice(0, 6), step).toEqual(upTo(index + 1).slice(0, 6))
  }
})

/** The command of the first step that is not done. */
function nextCommandOn({ html }: SeenPage): string {
  const [, command = ''] = /data-copy="([^"]+)"/.exec(html.slice(html.indexOf('<li class="">'))) ?? []
  return command.replaceAll(/&#(\d+);/g, (_reference, code) => String.fromCharCode(code))
}

test('a step that is not possible yet, or is none, says so; another partner has commands without a secret', async () => {
  const browser = await developer()
  for (const [step, status, text] of [
    ['accepted', 409, '/api/sandbox/consents/$CONSENT/sign returned 404'],
    ['delivered', 400, 'Choose one of the steps.'],
    ['explode', 400, 'Choose one of the steps.'],
  ] as const) {
    await browser.open('/console')
    const page = await browser.send('/console/first-steps', { step })
    expect([page.status, textOf(page)], step).toEqual([status, expect.stringContaining(text)])
  }
  const { partner } = await createPartner(gateway.context, 'test', { name: 'Knows its secret' })
  const { done } = await findFirstSteps(gateway.context, partner.id)
  expect(Object.values(done)).toEqual(upTo(0))
})
