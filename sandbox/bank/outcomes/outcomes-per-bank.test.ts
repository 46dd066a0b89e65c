/** Tests the scripted outcomes at banks of the fixture, each with its own statuses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BankTestData, bankTestData, orderForBank } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { isTestedAmong } from '../../testing/tested-banks.ts'
import { headersOf, type ThirdParty, thirdPartyOf } from '../../testing/third-party.ts'
import { NEXT_BANK_DAY, type Outcome, type PartnerViewMoment } from './scripted-outcome.ts'
import { outcomes } from './scripted-outcome-table.ts'

/** A day on which banks are open, later than any day this runs on. */
const A_MONDAY = '2031-03-03T08:00:00Z'
/** Business time that passes in addition to a step, so that the step is over. */
const SLACK = { minutes: 1 }
/** The next bank day comes within this time, Easter included. */
const BANK_DAYS_LIE_WITHIN = 'P6D'

/** Other statuses at first and while waiting; another one at last, and errors as problem details. The usual ones are tested as a table. */
const DISTINCT = ['MALBSESS', 'AURAFIHH']
const testedBanks = bankTestData.filter(({ bic }) => isTestedAmong(DISTINCT, bic))

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
  await thirdPartyOf(() => tested.bank).control('POST', '/clock', { now: A_MONDAY })
})
afterAll(() => tested.close())

const rejected = outcomes.filter(({ script }) => script.rejection !== undefined)
/** Faults of calls take wall time; they are simulated at one bank. */
const simulated = outcomes.filter(({ script }) => script.rejection === undefined && script.callFaults === undefined)
/** Those with a status that none before has; what a bank calls a status is the same in all outcomes. */
const played = simulated.filter((outcome, index) => {
  const before = new Set(simulated.slice(0, index).flatMap(statusesOf))
  return statusesOf(outcome).some((status) => !before.has(status))
})

function statusesOf(outcome: Outcome): readonly (string | null)[] {
  return momentsOf(outcome).map(({ bank }) => bank)
}

describe.each(testedBanks.map((bank) => [bank.name, bank] as const))('%s', (_name, bank) => {
  const tpp = thirdPartyOf(() => tested.bank, bank)

  test('simulates outcomes of every status', async () => {
    for (const outcome of played) {
      const id = (await place(tpp, bank, outcome)).text('paymentId')
      for (const moment of momentsOf(outcome)) {
        await bringAbout(tpp, bank, id, moment)
        const { status, body } = await tpp.send('GET', `${bank.payments}/${id}/status`)
        const word = status === 200 ? Object(body).transactionStatus : null
        expect([outcome.amount, moment.when, word]).toEqual([outcome.amount, moment.when, wordAt(bank, moment)])
      }
    }
  })

  test('rejects every order with an outcome of rejection', async () => {
    for (const outcome of rejected) {
      const { status, body } = await place(tpp, bank, outcome)
      const { rejection } = outcome.script
      expect([outcome.amount, status]).toEqual([outcome.amount, rejection?.status])
      expect(JSON.stringify(body)).toContain(`"code":"${rejection?.code}"`)
    }
  })
})

function momentsOf({ seen }: Outcome): readonly PartnerViewMoment[] {
  return seen.at === 'payment' ? seen.moments : []
}

const wordAt = ({ statuses }: BankTestData, { bank: word }: PartnerViewMoment): string | null => {
  const own = new Map([
    ['RCVD', statuses.first],
    ['ACSP', statuses.executing],
    ['ACSC', statuses.last],
  ])
  return word === null ? null : (own.get(word) ?? word)
}

function place(tpp: ThirdParty, bank: BankTestData, { amount }: Outcome) {
  const instructedAmount = { currency: bank.currency, amount: `${amount}.00` }
  return tpp.send('POST', bank.payments, { body: orderForBank(bank, { instructedAmount }), headers: headersOf(bank) })
}

async function bringAbout(tpp: ThirdParty, bank: BankTestData, id: string, { when }: PartnerViewMoment): Promise<void> {
  const path = `${bank.payments}/${id}/authorisations`
  switch (when) {
    case 'ordered':
      return
    case 'signed':
    case 'signed again':
      return await tpp.sign(path)
    case 'signed by another user':
      return await tpp.sign(path, bank.secondUser)
    case 'confirmed by SMS':
      await tpp.control('POST', `/payments/${id}/release`)
      return
    default: {
      const now = Temporal.Instant.from((await tpp.control('GET', '/clock')).text('now')).toZonedDateTimeISO('UTC')
      await tpp.control('POST', '/clock', {
        now: now
          .add(when === NEXT_BANK_DAY ? BANK_DAYS_LIE_WITHIN : when)
          .add(SLACK)
          .toInstant()
          .toString(),
      })
    }
  }
}
