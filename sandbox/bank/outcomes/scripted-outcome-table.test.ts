/** Tests every scripted outcome at a real sandbox bank, from a third party's view. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import {
  KARI,
  MAIN_ACCOUNT,
  OLA,
  order,
  PAYMENTS,
  type Reply,
  type ThirdParty,
  thirdPartyOf,
  userHeaders,
} from '../../testing/third-party.ts'
import { callRejectionOutcomes } from './call-rejection-outcomes.ts'
import { NEXT_BANK_DAY, type Outcome, type PartnerViewMoment } from './scripted-outcome.ts'
import { outcomes, scriptedOutcomeOf } from './scripted-outcome-table.ts'

/** Business time that passes in addition to a step, so that the step is over. */
const SLACK = { minutes: 1 }
/** Later than any day this runs on; each outcome has a Monday of its own. */
let monday = Temporal.PlainDate.from('2031-03-03')
/** The next bank day comes within this time, Easter included. */
const BANK_DAYS_LIE_WITHIN = 'P6D'
const TWO_SIGNERS_ACCOUNT = '80501100041'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())
const emptyBank = () => tpp.control('POST', '/reset')

const amountOf = ({ amount }: Outcome) => ({ instructedAmount: { currency: 'NOK', amount: `${amount}.00` } })
const send = (outcome: Outcome) =>
  tpp.send('POST', PAYMENTS, {
    body: order(amountOf(outcome)),
    headers: { ...userHeaders, 'X-Request-ID': crypto.randomUUID() },
  })
const bankTime = async () => Temporal.Instant.from((await tpp.control('GET', '/clock')).text('now'))

async function held(): Promise<string | undefined> {
  const { body } = await tpp.control('GET', '/payments?bank=FJORNO22')
  return Array.isArray(body) ? body.at(-1)?.paymentId : undefined
}

/** Submits the order; the bank's response may be lost, and then its books show what it holds. */
async function place(outcome: Outcome): Promise<string | undefined> {
  const effects = outcome.script.callFaults?.map(({ operation, effect }) => `${operation} ${effect}`) ?? []
  if (effects.includes('initiatePayment withhold-answer') || effects.includes('initiatePayment drop-connection')) {
    const before = await held()
    const leaving = new AbortController()
    const lost = fetch(`${tested.bank.xs2aUrl}/fjordbanken/v1${PAYMENTS}`, {
      method: 'POST',
      headers: { ...userHeaders, 'X-Request-ID': crypto.randomUUID(), 'Content-Type': 'application/json' },
      body: JSON.stringify(order(amountOf(outcome))),
      signal: leaving.signal,
    })
    const rejected = expect(lost).rejects.toThrow()
    await expect.poll(held).not.toBe(before)
    leaving.abort()
    await rejected
    return await held()
  }
  let isAnswered = false
  const answered = send(outcome).finally(() => {
    isAnswered = true
  })
  while (effects.includes('initiatePayment slow') && !isAnswered) {
    // Ends the delay.
    await tpp.control('DELETE', '/faults')
  }
  const made = await answered
  return made.status === 201 ? made.text('paymentId') : undefined
}

/** The event of a step: a user acts, or time passes. */
async function bringAbout(id: string, { when }: PartnerViewMoment): Promise<void> {
  switch (when) {
    case 'ordered':
      return
    case 'signed':
    case 'signed again':
      return await tpp.sign(`${PAYMENTS}/${id}/authorisations`, KARI)
    case 'signed by another user':
      return await tpp.sign(`${PAYMENTS}/${id}/authorisations`, OLA)
    case 'confirmed by SMS':
      expect((await tpp.control('POST', `/payments/${id}/release`)).status).toBe(200)
      return
    default: {
      const target = (await bankTime())
        .toZonedDateTimeISO('UTC')
        .add(when === NEXT_BANK_DAY ? BANK_DAYS_LIE_WITHIN : when)
        .add(SLACK)
      await tpp.control('POST', '/clock', { now: target.toInstant().toString() })
    }
  }
}

function readStatus(id: string): Promise<Reply | null> {
  return tpp.send('GET', `${PAYMENTS}/${id}/status`).catch(() => null)
}

const atPayment = outcomes.flatMap((outcome) =>
  outcome.seen.at === 'payment' ? [{ ...outcome, moments: outcome.seen.moments }] : [],
)

describe('a payment of', () => {
  beforeEach(async () => {
    monday = monday.add({ days: 7 })
    await tpp.control('POST', '/clock', { now: `${monday}T08:00:00Z` })
  })

  test.each(atPayment)('$amount: $name', async (outcome) => {
    const id = await place(outcome)
    const reported: (string | null)[] = []
    for (const moment of outcome.moments) {
      await bringAbout(id ?? '', moment)
      const reply = id === undefined ? null : await readStatus(id)
      reported.push(reply?.status === 200 ? reply.text('transactionStatus') : null)
    }
    expect(reported).toEqual(outcome.moments.map(({ bank }) => bank))
  })
})

describe('a payment of the amount', () => {
  beforeEach(emptyBank)

  test('7701 waits for funds like any payment', async () => {
    await tpp.control('POST', `/accounts/${MAIN_ACCOUNT}/balance`, { amount: '100.00' })
    const id = await tpp.pay({ instructedAmount: { currency: 'NOK', amount: '7701.00' } })
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    expect((await readStatus(id))?.body).toMatchObject({ transactionStatus: 'ACSP', fundsAvailable: false })
    await tpp.control('POST', `/accounts/${MAIN_ACCOUNT}/balance`, { amount: '8000.00' })
    expect((await readStatus(id))?.body).toMatchObject({ transactionStatus: 'ACSC', fundsAvailable: true })
  })

  test('7705 is returned to the payer and leaves the creditor', async () => {
    const balances = async () => (await tpp.control('GET', '/accounts')).body
    const before = await balances()
    const id = await tpp.pay({ instructedAmount: { currency: 'NOK', amount: '7705.00' } })
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    expect(await balances()).not.toEqual(before)
    await bringAbout(id, { when: NEXT_BANK_DAY, bank: 'RJCT', status: 'Rejected' })
    expect(await balances()).toEqual(before)
  })

  test('7713 has the code of the hold, until it is released, once', async () => {
    const id = await tpp.pay({ instructedAmount: { currency: 'NOK', amount: '7713.00' } })
    expect((await tpp.control('POST', `/payments/${id}/release`)).status).toBe(409)
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    expect((await readStatus(id))?.body).toMatchObject({
      transactionStatus: 'PDNG',
      tppMessages: [{ category: 'WARNING', code: 'SMS_CONFIRMATION_REQUIRED' }],
    })
    expect((await tpp.control('POST', `/payments/${id}/release`)).status).toBe(200)
    expect((await readStatus(id))?.body).toEqual({ transactionStatus: 'ACSP' })
    expect((await tpp.control('POST', `/payments/${id}/release`)).status).toBe(409)
  })

  test('7713 has no hold any more when the bank books it all the same', async () => {
    const id = await tpp.pay({ instructedAmount: { currency: 'NOK', amount: '7713.00' } })
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    await tpp.control('POST', `/payments/${id}/settle`)
    expect((await readStatus(id))?.body).not.toHaveProperty('tppMessages')
  })

  test('7716 is booked as soon as there are funds, while 7717 is not rejected before its time', async () => {
    const ids: string[] = []
    for (const amount of ['7716.00', '7717.00']) {
      const id = await tpp.pay({ instructedAmount: { currency: 'NOK', amount } })
      await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
      expect((await readStatus(id))?.body).toMatchObject({ transactionStatus: 'ACSP', fundsAvailable: false })
      ids.push(id)
    }
    await tpp.control('POST', '/accounts/80501100017/entries', { amount: '10.00', counterparty: 'Havblikk Hotell AS' })
    expect(await Promise.all(ids.map(async (id) => (await readStatus(id))?.body))).toMatchObject([
      { transactionStatus: 'ACSC', fundsAvailable: true },
      { transactionStatus: 'ACSP', fundsAvailable: false },
    ])
  })

  test('a script ends when the control API sets a status', async () => {
    const id = await tpp.pay({ instructedAmount: { currency: 'NOK', amount: '7708.00' } })
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    await tpp.control('POST', `/payments/${id}/status`, { transactionStatus: 'ACCP' })
    await bringAbout(id, { when: 'P1D', bank: 'ACCP', status: 'InProgress' })
    expect((await readStatus(id))?.body).toEqual({ transactionStatus: 'ACCP' })
  })
})

describe('an order of', () => {
  beforeAll(emptyBank)
  const rejected = outcomes.flatMap((outcome) => {
    const { rejection } = outcome.script
    return rejection === undefined ? [] : [{ ...outcome, rejection }]
  })

  test.each(rejected)('$amount is rejected: $name', async (outcome) => {
    const before = await held()
    const reply = await send(outcome)
    const { status, code, text, path } = outcome.rejection
    expect([reply.status, reply.body]).toEqual([
      status,
      { tppMessages: [{ category: 'ERROR', code, text, ...(path === undefined ? {} : { path }) }] },
    ])
    expect(await held()).toBe(before)
  })

  test.each(callRejectionOutcomes)('$amount is accepted, and a later call is rejected: $name', async (outcome) => {
    const id = await tpp.pay(amountOf(outcome))
    const [fault] = outcome.script.callFaults ?? []
    const [method, path] = {
      startPaymentAuthorisation: ['POST', '/authorisations'] as const,
      startPaymentCancellationAuthorisation: ['POST', '/cancellation-authorisations'] as const,
    }[String(fault?.operation)] ?? ['DELETE', '']
    const body = method === 'POST' ? { body: {} } : {}
    const reply = await tpp.send(method, `${PAYMENTS}/${id}${path}`, { ...body, headers: userHeaders })
    expect([reply.status, reply.text('tppMessages.0.code')]).toEqual([fault?.status, fault?.code])
  })
})

describe('signatures that are revoked', () => {
  beforeAll(emptyBank)

  test('no longer count', async () => {
    const id = await tpp.pay({ debtorAccount: { bban: TWO_SIGNERS_ACCOUNT } })
    const path = `${PAYMENTS}/${id}/authorisations`
    expect((await tpp.control('POST', `/payments/${id}/take-back`)).status).toBe(409)
    await tpp.sign(path, KARI)
    expect((await tpp.control('POST', `/payments/${id}/take-back`)).status).toBe(200)
    expect((await readStatus(id))?.text('transactionStatus')).toBe('RCVD')
    await tpp.sign(path, OLA)
    expect((await readStatus(id))?.text('transactionStatus')).toBe('PATC')
    await tpp.sign(path, KARI)
    expect((await readStatus(id))?.text('transactionStatus')).toBe('ACSP')
  })

  test('end the authorisation that is in progress', async () => {
    const id = await tpp.pay({ debtorAccount: { bban: TWO_SIGNERS_ACCOUNT } })
    const path = `${PAYMENTS}/${id}/authorisations`
    await tpp.sign(path, KARI)
    const { id: underWay } = await tpp.authorise(path, { ...userHeaders, 'PSU-ID': OLA })
    await tpp.control('POST', `/payments/${id}/take-back`)
    expect((await tpp.send('GET', `${path}/${underWay}`)).body).toMatchObject({ scaStatus: 'failed' })
  })
})

describe('the amount that selects an outcome', () => {
  test('is a whole number of the table, in any currency', () => {
    expect(scriptedOutcomeOf({ minor: 770_300n, currency: 'EUR' })?.name).toBe('Rejected later')
    expect(scriptedOutcomeOf({ minor: 7_703n, currency: 'JPY' })?.name).toBe('Rejected later')
    for (const minor of [770_301n, 770_399n, 77_030n, 7_703_000n, 779_900n, 0n]) {
      expect(scriptedOutcomeOf({ minor, currency: 'NOK' })).toBeUndefined()
    }
  })

  test('is unique per outcome, and so is every name', () => {
    expect(new Set(outcomes.map(({ amount }) => amount)).size).toBe(outcomes.length)
    expect(new Set(outcomes.map(({ name }) => name)).size).toBe(outcomes.length)
  })

  test('covers every rejection of an order or its approval that a bank can cause', () => {
    const codes = outcomes.flatMap(({ seen }) => (seen.at === 'payment' ? [] : [seen.code]))
    expect(codes).toEqual(
      expect.arrayContaining([
        ...['InvalidBBAN', 'InvalidAccountNumber', 'RecipientNameTooLong', 'InvalidCharacters', 'InvalidAmount'],
        ...['SenderNameTooLong', 'InvalidRemittanceInfo', 'InvalidDueDate', 'InvalidRequest'],
        ...['INVALID_OCR', 'ACCESS_DENIED', 'INVALID_CONSENT', 'UNSUPPORTED_PRODUCT_BY_BANK'],
        'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
      ]),
    )
  })

  test('covers every status and every reason that partners can see', () => {
    const moments = atPayment.flatMap((outcome) => outcome.moments)
    expect(new Set(moments.map(({ status }) => status))).toEqual(
      new Set(['Unsigned', 'InProgress', 'Completed', 'Rejected', 'Cancelled', 'CustomerActionRequired']),
    )
    expect(new Set(moments.flatMap(({ reason }) => reason ?? []))).toEqual(
      new Set(['PartlySigned', 'SmsConfirmationRequired', 'InsufficientFunds']),
    )
  })
})
