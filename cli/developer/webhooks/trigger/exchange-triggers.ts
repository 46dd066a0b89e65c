/** The triggers of events about exchange: a payment in dollars from an account in kroner. */

import { randomUUID } from 'node:crypto'
import { organizationNumber } from '../../../../contract/examples/demo-fixture.ts'
import { dollarOrder } from '../../../../contract/examples/fx.ts'
import type { EventTypeOf } from '../../../../contract/webhooks/event-types.ts'
import { REPORTING_TIME_ZONE } from '../../../../gateway/countries/bank-days.ts'
import { bankDay } from '../../context.ts'
import { decide, uniqueReference } from './order-triggers.ts'
import type { Subject, Trigger, TriggerStage } from './trigger-stage.ts'

/** An hour at which exchange is open. */
const OPENED = { timeZone: REPORTING_TIME_ZONE, plainTime: '09:00' } as const
/** Longer than a payment may remain unsigned that is due today. */
const UNTIL_DEADLINE = { advance: 'PT3M' } as const
/** Until the money of a signed payment has arrived at the provider. */
const UNTIL_FUNDED = { advance: 'PT5M' } as const
/** Until the payout has been read at the provider again. */
const UNTIL_PAYOUT_IS_READ = { advance: 'PT4H' } as const

const undone: Trigger = {
  how: 'orders a payment in dollars that is not signed in time; moves the clock by three minutes',
  run: async (stage) => {
    const ordered = await orderExchange(stage)
    await stage.pass(UNTIL_DEADLINE)
    return ordered
  },
}
const funded: Trigger = {
  how: 'orders and signs a payment in dollars; moves the clock by five minutes',
  run: fundedExchange,
}

export const exchangeTriggers: Readonly<Record<EventTypeOf<'EXCHANGE'>, Trigger>> = {
  EXCHANGE_SIGNED: { how: 'orders and signs a payment in dollars', run: signedExchange },
  EXCHANGE_FUNDED: funded,
  EXCHANGE_PAYOUT_ORDERED: funded,
  EXCHANGE_PAID_OUT: {
    how: 'orders and signs a payment in dollars, which the provider pays out; moves the clock by four hours',
    run: (stage) => payout(stage, ['send']),
  },
  EXCHANGE_PAYOUT_RETURNED: {
    how: 'orders and signs a payment in dollars, whose payout is returned; moves the clock by four hours',
    run: (stage) => payout(stage, ['send', 'return']),
  },
  EXCHANGE_REFUNDED: {
    reason:
      'an operator refunds the payer of a returned payout: havn trigger EXCHANGE_PAYOUT_RETURNED, then ' +
      'havn deal refunded with its deal (havn deal list)',
  },
  EXCHANGE_UNDOING: undone,
  EXCHANGE_UNDONE: undone,
}

async function orderExchange(stage: TriggerStage) {
  const { havn, psu, note } = stage
  const dueDate = await waitForOpening(stage)
  const reference = uniqueReference()
  const { bban, bic, contactInformation, currency } = dollarOrder.from
  const { paymentId } = await havn.initiateCrossBorderPayment({
    consentId: await stage.consentId(),
    psu,
    idempotencyKey: randomUUID(),
    body: {
      metadata: { endToEndId: reference },
      from: { account: { type: 'bban', bban, bic }, contactInformation, currency, organizationNumber },
      to: {
        account: { type: 'bban', ...dollarOrder.to.account },
        contactInformation: dollarOrder.to.contactInformation,
      },
      amount: dollarOrder.amount,
      dueDate,
      remittanceInformation: { message: reference },
    },
  })
  note(`Ordered payment ${paymentId} of ${dollarOrder.amount.amount} USD`)
  return { paymentId }
}

/** Today, after a move of the clock if payments cannot be due today: closed, on a holiday, or after the cut-off. */
async function waitForOpening(stage: TriggerStage): Promise<string> {
  const { serviceOpen, firstDueDate } = await stage.havn.getExchangeCalendar({ query: {} })
  const today = (await bankDay(stage, 'NO')).toString()
  if (!serviceOpen || firstDueDate !== today) {
    const opened = Temporal.PlainDate.from(firstDueDate).toZonedDateTime(OPENED)
    await stage.pass({ set: opened.toInstant().toString() })
  }
  return firstDueDate
}

async function signedExchange(stage: TriggerStage) {
  const ordered = await orderExchange(stage)
  await decide(stage, ordered.paymentId, 'sign')
  return ordered
}

async function fundedExchange(stage: TriggerStage) {
  const ordered = await signedExchange(stage)
  await stage.pass(UNTIL_FUNDED)
  return ordered
}

async function payout(stage: TriggerStage, steps: readonly ('send' | 'return')[]): Promise<Subject> {
  const { paymentId } = await fundedExchange(stage)
  for (const step of steps) {
    const { providerStatus } = await stage.havn.stepSandboxPayout({ params: { paymentId, step }, body: {} })
    stage.note(`At the provider: ${step}; the payout is ${providerStatus}`)
  }
  await stage.pass(UNTIL_PAYOUT_IS_READ)
  return { paymentId }
}
