/** Shows that every scripted outcome of the sandbox bank reaches the partner as documented. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { scriptedIdInFormOf } from '../../sandbox/bank/authorisations/scripted-user-lookup.ts'
import { type ScriptedUser, scriptedUsers } from '../../sandbox/bank/authorisations/scripted-users.ts'
import { NEXT_BANK_DAY, type Outcome, type PartnerViewMoment } from '../../sandbox/bank/outcomes/scripted-outcome.ts'
import { outcomes } from '../../sandbox/bank/outcomes/scripted-outcome-table.ts'
import { isTestedAmong } from '../../sandbox/testing/tested-banks.ts'
import { HavnError } from '../../sdk/index.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { mapWithConcurrency } from '../platform/concurrency.ts'
import { type NordicBank, nordicBank, nordicBanks, testedBanks } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { passTime, passUntil } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'
import { bankPaymentIdOf } from '../testing/payments/sign-in-netbank.ts'

/** Longer than the bank's slow answers. */
const ANSWER_TIMEOUT_SECONDS = '5'
/**
 * Business time within which a gateway without notifications has polled a payment again: soon after a change, later
 * hourly.
 */
const NOTICED_WITHIN = { soon: { minutes: 10 }, later: { minutes: 100 } }
/** The next bank day comes within this time, Easter included. */
const BANK_DAYS_LIE_WITHIN = 'P6D'
const TIMEOUT_MILLISECONDS = 60_000

const fjordbanken = nordicBank('FJORNO22')
let gateway: TestGateway
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { HAVN_BANK_ANSWER_TIMEOUT_SECONDS: ANSWER_TIMEOUT_SECONDS } })
  payer = openPaymentDriver(gateway)
})
afterAll(() => gateway.close())
beforeEach(() => disablePaymentPolling(gateway))

describe('a partner who orders a payment of', () => {
  test.each(outcomes)('$amount sees: $name', { timeout: TIMEOUT_MILLISECONDS }, async (outcome) => {
    const { seen } = outcome
    switch (seen.at) {
      case 'order':
        return await expectRejected(fjordbanken, outcome)
      case 'approval': {
        const { paymentId } = await order(fjordbanken, outcome)
        await expect(payer.sign(fjordbanken, paymentId)).rejects.toMatchObject({ status: 400, failure: seen.code })
        return
      }
      case 'cancellation': {
        const dueDate = nextBankDay(['NO'], gateway.context.clock.today('Europe/Oslo').add({ days: 3 })).toString()
        const { paymentId } = await order(fjordbanken, outcome, { dueDate })
        await payer.sign(fjordbanken, paymentId)
        const body = { paymentId, callbackUrl: CALLBACK }
        const cancelling = gateway.client.cancelPayment({ ...(await payer.consentOf(fjordbanken)), body })
        await expect(cancelling).rejects.toMatchObject({ status: 400, failure: seen.code })
        return
      }
      case 'payment':
        return await expectCourse(outcome, seen.moments)
    }
  })
})

/** Other statuses at first and while waiting; another one at last, and errors as problem details. */
const DISTINCT = ['MALBSESS', 'AURAFIHH']
const distinctBanks = nordicBanks.filter(({ bic }) => isTestedAmong(DISTINCT, bic))

describe('at other banks a partner sees the same', () => {
  // No bank has passed its cut-off, and those that reject closed days accept orders.
  beforeAll(async () => {
    await payer.nextMorning()
  })

  test.each(distinctBanks)('rejections of an order at $bic', async (bank) => {
    for (const amount of [7732, 7734, 7739, 7740, 7743]) {
      await expectRejected(bank, outcomeOf(amount))
    }
  })

  // `pay-in-every-country.test.ts` has those that are executed, wait for another signer, or lack funds.
  test.each(distinctBanks)('a signed payment that is held at $bic', async (bank) => {
    const { paymentId } = await order(bank, outcomeOf(7713))
    const held = { status: 'CustomerActionRequired', statusReason: 'SmsConfirmationRequired' }
    expect(await payer.sign(bank, paymentId)).toMatchObject(held)
  })
})

describe('a decision without a browser', () => {
  test.each(scriptedUsers)('$name', { timeout: TIMEOUT_MILLISECONDS }, async (user) => {
    const { seen } = user
    if (seen.asking !== undefined) {
      await expect(askForAccess(fjordbanken, user)).rejects.toMatchObject({ failure: seen.asking })
      return
    }
    const signer = await askForAccess(fjordbanken, user)
    if (seen.order !== undefined) {
      const rejected = gateway.client.initiateDomesticPayment({ ...signer, body: domesticPayment(gateway) })
      await expect(rejected).rejects.toMatchObject({ failure: seen.order })
    }
    if (seen.cancelling !== undefined) {
      const { paymentId } = await payer.order(fjordbanken)
      const cancelling = gateway.client.cancelPayment({ ...signer, body: { paymentId, callbackUrl: CALLBACK } })
      await expect(cancelling).rejects.toMatchObject({ failure: seen.cancelling })
    }
    if (seen.approval !== undefined) {
      const { paymentId } = await gateway.client.initiateDomesticPayment({ ...signer, body: domesticPayment(gateway) })
      const body = { payments: [paymentId], callbackUrl: CALLBACK }
      const { id: approvalId } = await gateway.client.approvePayments({ ...signer, body })
      // In steps: the user decides, the gateway polls, and then the bank books.
      await gateway.client.moveSandboxClock({ body: { advance: 'PT15M' } })
      await eventually(async () => {
        const approval = await gateway.client.getPaymentApproval({ ...signer, params: { approvalId } })
        expect(approval.status).toBe(seen.approval)
      })
      const { status } = await payer.statusOf(paymentId)
      expect(status).toBe(seen.approval === 'ACCEPTED' ? 'Completed' : 'Unsigned')
      if (seen.later !== undefined) {
        // In steps as well: the bank signs first, and a poll after that sees it.
        await gateway.client.moveSandboxClock({ body: { advance: 'PT3H' } })
        await eventually(async () => expect((await payer.statusOf(paymentId)).status).toBe(seen.later))
      }
    }
    if (seen.afterwards !== undefined) {
      await pass('PT1H')
      await expect(gateway.client.listAccounts(signer)).rejects.toMatchObject({ failure: seen.afterwards })
    }
  })

  test('reaches the partner of every other bank, too, without a move of the clock', async () => {
    const deciding = scriptedUsers.filter(({ number }) => number <= 3)
    const banks = testedBanks.filter(({ bic }) => !NEED_A_BROWSER.includes(bic))
    const asked = banks.flatMap((bank) => deciding.map((user) => ({ bank, user })))
    await mapWithConcurrency(asked, 4, async ({ bank, user }) => {
      const shown = await requestConsent(bank, user)
      await expectDecided(shown, user)
      const accounts = user.consent === 'approve' ? (await gateway.client.listAccounts(shown)).accounts : null
      expect({ [bank.bic]: accounts }).not.toEqual({ [bank.bic]: [] })
    })
  })
})

/** Their users have to continue on our page, or to bring a callback, before anything can be signed. */
const NEED_A_BROWSER = ['ELVANO22', 'NORDSESS', 'KATTDK22']

const pass = (duration: string) => passTime(gateway, duration)
const order = (bank: NordicBank, { amount }: Outcome, changes: { readonly dueDate?: string } = {}) =>
  payer.order(bank, { amount: { amount: `${amount}.00`, currency: bank.currency }, ...changes })

function outcomeOf(amount: number): Outcome {
  const found = outcomes.find((outcome) => outcome.amount === amount)
  if (found === undefined) {
    throw new Error(`No outcome has the amount ${amount}`)
  }
  return found
}

async function expectRejected(bank: NordicBank, outcome: Outcome): Promise<void> {
  const failure = await order(bank, outcome).catch((error: unknown) => error)
  if (!(failure instanceof HavnError) || outcome.seen.at !== 'order') {
    throw new Error(`The order of ${outcome.amount} at ${bank.bic} was not refused: ${JSON.stringify(failure)}`)
  }
  const { status, code, path } = outcome.seen
  const [validationError = { code: failure.failure, path: undefined }] = failure.validationErrors
  expect([outcome.amount, failure.status, validationError.code]).toEqual([outcome.amount, status, code])
  expect(validationError.path ?? '').toContain(path ?? '')
}

/** Runs one moment after the other, at the script's own time, and checks each time. */
async function expectCourse(outcome: Outcome, moments: readonly PartnerViewMoment[]): Promise<void> {
  const paymentId = await orderInAnyCase(outcome)
  let time = gateway.context.clock.now()
  for (const moment of moments) {
    time = await bringAbout(paymentId, moment, time)
    await (isTroubled(outcome) ? expectSeenInTime(paymentId, moment) : expectSeen(paymentId, moment))
  }
}

/** The response to the order may be lost; the payment exists all the same. */
async function orderInAnyCase(outcome: Outcome): Promise<string> {
  const failure = await order(fjordbanken, outcome).catch((error: unknown) => error)
  if (failure instanceof HavnError) {
    return failure.paymentId ?? ''
  }
  return String(Object(failure).paymentId)
}

/** A user acts, and the script's time restarts; or time passes. Returns the script's time. */
async function bringAbout(
  paymentId: string,
  { when }: PartnerViewMoment,
  time: Temporal.Instant,
): Promise<Temporal.Instant> {
  switch (when) {
    case 'ordered':
      return time
    case 'signed':
    case 'signed again':
      await payer.sign(fjordbanken, paymentId)
      return gateway.context.clock.now()
    case 'signed by another user':
      await payer.sign(fjordbanken, paymentId, fjordbanken.users[1])
      return gateway.context.clock.now()
    case 'confirmed by SMS':
      await openSandboxBankControl(gateway.bank).postControl(
        `/payments/${await bankPaymentIdOf(gateway, paymentId)}/release`,
      )
      return gateway.context.clock.now()
    default: {
      const duration = when === NEXT_BANK_DAY ? BANK_DAYS_LIE_WITHIN : when
      const passed = time.toZonedDateTimeISO('UTC').add(duration)
      const isLong = Temporal.Duration.compare(duration, 'PT10M', { relativeTo: passed }) > 0
      const slack = NOTICED_WITHIN[isLong ? 'later' : 'soon']
      await passUntil(gateway, passed.add(slack).toInstant())
      return passed.toInstant()
    }
  }
}

/** The status is the documented one, at once or as soon as the bank's notification has been processed. */
async function expectSeen(paymentId: string, moment: PartnerViewMoment): Promise<void> {
  await eventually(() => expectSeenNow(paymentId, moment))
}

/** The same at a bank that failed: for some seconds of wall time the gateway does not call it. */
async function expectSeenInTime(paymentId: string, moment: PartnerViewMoment): Promise<void> {
  const onceMore = async () => {
    await expectSeenNow(paymentId, moment).catch(async (error: unknown) => {
      await pass('PT1H')
      throw error
    })
  }
  await eventually(onceMore)
}

async function expectSeenNow(paymentId: string, { status, reason, unknown = false }: PartnerViewMoment): Promise<void> {
  const { paymentStatus, outcomeUnknown } = await gateway.client.getPayment({ params: { paymentId } })
  const { status: seen, statusReason } = paymentStatus
  expect({ status: seen, reason: statusReason, unknown: outcomeUnknown }).toEqual({ status, reason, unknown })
}

function isTroubled({ script }: Outcome): boolean {
  return script.callFaults?.some(({ operation }) => operation === 'getPaymentStatus') === true
}

type Signer = { readonly consentId: string; readonly psu: typeof PSU }

async function askForAccess(bank: NordicBank, user: ScriptedUser): Promise<Signer> {
  const shown = await requestConsent(bank, user)
  await pass('PT20M')
  await expectDecided(shown, user)
  return shown
}

async function requestConsent(bank: NordicBank, user: ScriptedUser): Promise<Signer> {
  const { bic, organizationNumber } = bank
  const userId = scriptedIdInFormOf(user, bank.users[0]) ?? ''
  const requested = { bic, organizationNumber, userId, callbackUrl: CALLBACK }
  const { id: consentId } = await gateway.client.createConsent({ psu: PSU, body: requested })
  return { consentId, psu: PSU }
}

async function expectDecided({ consentId }: Signer, { name, seen }: ScriptedUser): Promise<void> {
  await eventually(async () => {
    const { status, bic } = await gateway.client.getConsent({ consentId })
    expect([bic, name, status]).toEqual([bic, name, seen.consent])
  })
}
