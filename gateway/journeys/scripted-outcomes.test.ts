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
import { forEachRow } from '../testing/for-each-row.ts'
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
/** Moments that are so close to each other are checked at once; no script goes on in between. */
const CHECKED_TOGETHER = { minutes: 5 }
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

/** The bank holds them, and its answers can be read: their time passes together. */
const inGoodOrder = outcomes.filter((outcome) => outcome.seen.at === 'payment' && !isTroubled(outcome))

describe('a partner who orders a payment of', () => {
  test('an amount that has an outcome sees its statuses, moment by moment', { timeout: TIMEOUT_MILLISECONDS }, () =>
    expectCourses(inGoodOrder),
  )

  const others = outcomes.filter((outcome) => !inGoodOrder.includes(outcome))
  test.each(others)('$amount sees: $name', { timeout: TIMEOUT_MILLISECONDS }, async (outcome) => {
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
        return await expectCourses([outcome])
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
  const nameOf = ({ name }: ScriptedUser) => name
  const seeing = (what: keyof ScriptedUser['seen']) => scriptedUsers.filter(({ seen }) => seen[what] !== undefined)

  test('reaches the partner, for each scripted user', { timeout: TIMEOUT_MILLISECONDS }, async () => {
    await forEachRow(seeing('asking'), nameOf, (user) =>
      expect(requestConsent(fjordbanken, user)).rejects.toMatchObject({ failure: user.seen.asking }),
    )
    const signers = await forEachRow(seeing('consent'), nameOf, (user) => requestConsent(fjordbanken, user))
    await pass('PT20M')
    await forEachRow(
      signers,
      ([user]) => nameOf(user),
      ([user, signer]) => expectDecided(signer, user),
    )
    const signerOf = (user: ScriptedUser) => signers.get(user) ?? expect.fail(`${user.name} gives no consent`)

    await forEachRow(seeing('order'), nameOf, async (user) => {
      const rejected = gateway.client.initiateDomesticPayment({ ...signerOf(user), body: domesticPayment(gateway) })
      await expect(rejected).rejects.toMatchObject({ failure: user.seen.order })
    })
    await forEachRow(seeing('cancelling'), nameOf, async (user) => {
      const { paymentId } = await payer.order(fjordbanken)
      const body = { paymentId, callbackUrl: CALLBACK }
      const cancelling = gateway.client.cancelPayment({ ...signerOf(user), body })
      await expect(cancelling).rejects.toMatchObject({ failure: user.seen.cancelling })
    })

    const approvals = await forEachRow(seeing('approval'), nameOf, (user) => requestApproval(signerOf(user)))
    // In steps: the user decides, the gateway polls, and then the bank books.
    await gateway.client.moveSandboxClock({ body: { advance: 'PT15M' } })
    await forEachRow(
      approvals,
      ([user]) => nameOf(user),
      async ([user, { paymentId, approvalId }]) => {
        await eventually(async () => {
          const approval = await gateway.client.getPaymentApproval({ ...signerOf(user), params: { approvalId } })
          expect(approval.status).toBe(user.seen.approval)
        })
        const { status } = await payer.statusOf(paymentId)
        expect(status).toBe(user.seen.approval === 'ACCEPTED' ? 'Completed' : 'Unsigned')
      },
    )

    // In steps as well: the bank signs first, and a poll after that sees it.
    await gateway.client.moveSandboxClock({ body: { advance: 'PT3H' } })
    await forEachRow(seeing('later'), nameOf, async (user) => {
      const { paymentId } = approvals.get(user) ?? expect.fail('There is no approval')
      await eventually(async () => expect((await payer.statusOf(paymentId)).status).toBe(user.seen.later))
    })
    await forEachRow(seeing('afterwards'), nameOf, (user) =>
      expect(gateway.client.listAccounts(signerOf(user))).rejects.toMatchObject({ failure: user.seen.afterwards }),
    )
  })

  test('reaches the partner of every other bank, too, without a move of the clock', async () => {
    const deciding = scriptedUsers.filter(({ number }) => number <= 3)
    const banks = testedBanks.filter(({ bic }) => !NEED_A_BROWSER.includes(bic))
    // Each decision at one of the banks, which differ in how they ask for it.
    const asked = banks.flatMap((bank, position) =>
      deciding.filter((_user, n) => n === position % deciding.length).map((user) => ({ bank, user })),
    )
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

/** A payment that goes through the moments of its script. */
type Course = {
  readonly outcome: Outcome
  readonly paymentId: string
  /** The next one first. */
  readonly moments: PartnerViewMoment[]
  /** The script's own time. */
  time: Temporal.Instant
}

/** Runs one moment after the other, at each script's own time, and checks each of them. */
async function expectCourses(of: readonly Outcome[]): Promise<void> {
  const nameOfOutcome = ({ amount, name }: Outcome) => `${amount}, ${name}`
  const nameOf = ({ outcome }: Course) => nameOfOutcome(outcome)
  const begun = await forEachRow(of, nameOfOutcome, async (outcome) => {
    const moments = outcome.seen.at === 'payment' ? [...outcome.seen.moments] : []
    const paymentId = await orderInAnyCase(outcome)
    const course: Course = { outcome, moments, paymentId, time: gateway.context.clock.now() }
    // At once: what is ordered or signed changes within a minute, however long the others take.
    await act(course)
    return course
  })
  const courses = [...begun.values()]
  const waiting = () => courses.filter(({ moments }) => moments.length > 0)
  for (let others = waiting(); others.length > 0; others = waiting()) {
    const [first] = others.map(noticedAt).toSorted(Temporal.Instant.compare)
    const now = (first ?? gateway.context.clock.now()).add(CHECKED_TOGETHER)
    await passUntil(gateway, now)
    const noticed = others.filter((course) => Temporal.Instant.compare(noticedAt(course), now) <= 0)
    await forEachRow(noticed, nameOf, async (course) => {
      course.time = dueAt(course)
      await expectMoment(course)
      await act(course)
    })
  }
}

/** What brings a moment about that does not come with time; the script's time restarts then. */
const ACTS: Readonly<Record<string, (paymentId: string) => Promise<unknown>>> = {
  ordered: async () => undefined,
  signed: (paymentId) => payer.sign(fjordbanken, paymentId),
  'signed again': (paymentId) => payer.sign(fjordbanken, paymentId),
  'signed by another user': (paymentId) => payer.sign(fjordbanken, paymentId, fjordbanken.users[1]),
  'confirmed by SMS': async (paymentId) => {
    const bankPaymentId = await bankPaymentIdOf(gateway, paymentId)
    await openSandboxBankControl(gateway.bank).postControl(`/payments/${bankPaymentId}/release`)
  },
}

/** Runs the moments that a user or partner brings about, until one comes with time. */
async function act(course: Course): Promise<void> {
  for (let run = actOf(course); run !== undefined; run = actOf(course)) {
    await run(course.paymentId)
    course.time = gateway.context.clock.now()
    await expectMoment(course)
  }
}

function actOf({ moments: [moment] }: Course) {
  return ACTS[moment?.when ?? '']
}

/** When the next moment comes, which is one that comes with time. */
function dueAt({ moments: [moment], time }: Course): Temporal.Instant {
  return time.toZonedDateTimeISO('UTC').add(durationOf(moment)).toInstant()
}

/** When a gateway without notifications has seen it. */
function noticedAt(course: Course): Temporal.Instant {
  const { time, moments } = course
  const isLong = Temporal.Duration.compare(durationOf(moments[0]), 'PT10M', {
    relativeTo: time.toZonedDateTimeISO('UTC'),
  })
  return dueAt(course).add(NOTICED_WITHIN[isLong > 0 ? 'later' : 'soon'])
}

function durationOf(moment: PartnerViewMoment | undefined): string {
  return moment === undefined || moment.when === NEXT_BANK_DAY ? BANK_DAYS_LIE_WITHIN : moment.when
}

/** Checks the next moment, which is over then. */
async function expectMoment({ outcome, paymentId, moments }: Course): Promise<void> {
  const moment = moments.shift() ?? expect.fail('The script is over')
  await (isTroubled(outcome) ? expectSeenInTime(paymentId, moment) : expectSeen(paymentId, moment))
}

/** The response to the order may be lost; the payment exists all the same. */
async function orderInAnyCase(outcome: Outcome): Promise<string> {
  // Several lost responses in a row would open the circuit breaker, which uses wall time.
  await gateway.context.banks.resetFailures()
  const failure = await order(fjordbanken, outcome).catch((error: unknown) => error)
  if (failure instanceof HavnError) {
    return failure.paymentId ?? ''
  }
  return String(Object(failure).paymentId)
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

async function requestApproval(signer: Signer) {
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...signer, body: domesticPayment(gateway) })
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  const { id: approvalId } = await gateway.client.approvePayments({ ...signer, body })
  return { paymentId, approvalId }
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
