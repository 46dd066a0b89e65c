/** Runs the conformance suite with sandbox banks; answers are validated with the standard's OpenAPI file. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll } from 'vitest'
import { startTestBank, type TestBank } from '../../../../sandbox/testing/test-bank.ts'
import { isTestedAmong } from '../../../../sandbox/testing/tested-banks.ts'
import { formatAmount } from '../../../platform/money.ts'
import type { ConformanceHarness } from '../../conformance/conformance-harness.ts'
import { connectorConformance, connectorScaConformance } from '../../conformance/connector-conformance.ts'
import type { BankFetch, BankStream } from '../../connector/connector-dependencies.ts'
import { connectorTools } from '../../testing/connector-tools.ts'
import { SAMPLE_RETURN_URLS } from '../../testing/samples.ts'
import { businessDay, controlClient, waitForBankDay } from '../../testing/sandbox-control.ts'
import {
  crossBorderAt,
  debtorsAt,
  foreignDebtor,
  ordersAt,
  rejectedInBulk,
  SANDBOX_BICS,
  sandboxBank,
  sandboxBulk,
  sandboxCaller,
  sandboxOrder,
  secondSigner,
} from '../../testing/sandbox-samples.ts'
import { sandboxBrowser, sandboxUser, signedIn } from '../../testing/sandbox-user.ts'
import { openBankHttpClient } from '../../transport/bank-http-client.ts'
import { berlinGroup } from './connector.ts'
import { dialectOf } from './dialect.ts'

/** The time-out for a missing response; a bank under load has accepted the order by then. */
const WITHHELD_MILLISECONDS = 800
/** Longer than any of these tests. */
const LONG_PENDING_SECONDS = 86_400
/** Every order has another amount, because some banks reject repeated orders. */
const FIRST_AMOUNT = 125_000n
/** Banks that report of an authorisation only that it has ended. */
const NO_WORD_ON_REJECTIONS: ReadonlySet<string> = new Set(['VASASESS'])

const Payments = Type.Array(Type.Unknown())

let sandbox: TestBank
beforeAll(async () => {
  sandbox = await startTestBank()
  await waitForBankDay(controlClient(sandbox.bank.pagesUrl))
})
afterAll(() => sandbox.close())

/** It has every product: bulks, baskets and payments abroad. */
const COMPLETE = ['VSKYNO22']
/** Together with it they have every way in which users sign. */
const OTHER_WAYS = ['NORDSESS', 'KATTDK22', 'PAIJFIHH']

for (const bic of SANDBOX_BICS) {
  if (isTestedAmong(COMPLETE, bic)) {
    connectorConformance(`berlin-group at ${bic}`, () => openHarness(bic))
  } else if (OTHER_WAYS.includes(bic)) {
    connectorScaConformance(`berlin-group at ${bic}`, () => openHarness(bic))
  }
}

async function openHarness(bic: string): Promise<ConformanceHarness> {
  const outgoing = openOutgoing()
  const bank = sandboxBank(bic, sandbox.bank)
  const control = controlClient(sandbox.bank.pagesUrl)
  const today = () => businessDay(control, bank.profile.timeZone)
  const connector = berlinGroup(
    connectorTools({ ...outgoing, now: () => Temporal.Now.instant(), tppIpAddress: '127.0.0.1' }),
  )
  const caller = await signedIn(connector, sandboxCaller(bank), control, sandbox.bank)
  const second = { ...sandboxCaller(bank), userId: secondSigner(bank) }
  let amount = FIRST_AMOUNT
  return {
    connector,
    caller,
    back: SAMPLE_RETURN_URLS,
    today,
    order: async () => {
      amount += 1n
      return sandboxOrder(bank, await today(), amount)
    },
    orders: ordersAt(bank),
    crossBorder: crossBorderAt(bank, today, () => (amount += 1n)),
    bulk: {
      hasOurId: dialectOf(bank.profile).paymentInformationId === true,
      order: async () => {
        amount += 3n
        return sandboxBulk(bank, await today(), amount - 2n)
      },
      rejected: rejectedInBulk,
    },
    foreignDebtor: foreignDebtor(bank),
    debtors: debtorsAt(bank),
    secondSigner: await signedIn(connector, second, control, sandbox.bank),
    tellsRejections: !NO_WORD_ON_REJECTIONS.has(bic),
    decide: sandboxUser(control),
    browse: sandboxBrowser(control),
    expire: async ({ authorisationId }) => {
      await control('POST', `/authorisations/${authorisationId}/expire`, {})
    },
    expectMoney: async (bban, minor) => {
      const { currency } = sandboxOrder(bank, await today(), minor).debtor
      const money = { amount: formatAmount({ minor, currency }), counterparty: 'Kunde', endToEndId: `in-${minor}` }
      await control('POST', `/accounts/${bban}/entries`, { ...money, pendingSeconds: LONG_PENDING_SECONDS })
    },
    receiveMoney: async (bban) => {
      await control('POST', `/accounts/${bban}/entries/settle`, {})
    },
    bookMany: async (bban, count) => {
      await control('POST', `/accounts/${bban}/entries/generate`, { count, days: 30 })
    },
    settle: async (paymentId) => {
      await control('POST', `/payments/${paymentId}/settle`, {})
    },
    loseAnswer: async (effect, of) => {
      const operation = of === 'bulk' ? 'initiateBulkPayment' : 'initiatePayment'
      await control('POST', '/faults', { bank: bic, operation, effect, times: 1 })
      if (effect === 'withhold-answer') {
        outgoing.hurryOnce()
      }
    },
    paymentsHeld: async () => Value.Parse(Payments, await control('GET', `/payments?bank=${bic}`)).length,
    close: () => outgoing.close(),
  }
}

/** Has the real time-outs, except for one response that the test withholds. */
function openOutgoing(): {
  readonly fetch: BankFetch
  readonly stream: BankStream
  hurryOnce(): void
  close(): Promise<void>
} {
  const patient = openBankHttpClient({ observer: () => undefined })
  const hurried = openBankHttpClient({ observer: () => undefined, limits: { callMilliseconds: WITHHELD_MILLISECONDS } })
  let hurries = false
  return {
    fetch: async (bank, request) => {
      const outgoing = hurries ? hurried : patient
      hurries = false
      return await outgoing.fetch(bank, request)
    },
    stream: patient.stream,
    hurryOnce: () => {
      hurries = true
    },
    close: async () => {
      await patient.close()
      await hurried.close()
    },
  }
}
