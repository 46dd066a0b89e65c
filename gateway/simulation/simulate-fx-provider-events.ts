/** Lets things happen at the sandbox's provider of exchange behind our back: to payouts, to what arrives, and to itself. */
import type { Context } from '../context.ts'
import { findDeal } from '../fx/deals/find-deal-by-payment.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import type { ProgramControl } from './sandbox-control.ts'
import type { Owned } from './simulate-bank-events.ts'

/** How the provider is to fail; once unless said. */
export type ExchangeFault = {
  readonly effect: string
  readonly times?: number
  readonly seconds?: number
  readonly amount?: string
}

/** Money that somebody sends. */
export type Sent = { readonly iban: string; readonly amount: string }

/** What became of money that was sent. */
type Arrived = { readonly amount: string; readonly currency: string; readonly status: string }

/** Lets it fail until that is used up, or everything is healed. */
export async function disturbProvider(
  provider: ProgramControl,
  { times = 1, ...fault }: ExchangeFault,
): Promise<undefined> {
  await provider.act('/faults', { ...fault, times })
}

/** Carries a step out on the payout of a payment, and answers the provider's word for it. */
export async function stepPayout(
  { database }: Context,
  provider: ProgramControl,
  { partnerId, id }: Owned,
  { step, ...body }: { readonly step: string; readonly kept?: string },
): Promise<{ providerStatus: string }> {
  const deal = isId(id) ? await findDeal(database, { partnerId, paymentId: id.toLowerCase() }) : undefined
  if (deal === undefined) {
    throw refuse('not-found', 'There is no payment with exchange with this id')
  }
  if (deal.payoutId === null) {
    throw refuse('conflict', `Nothing is paid out yet: the deal is ${deal.state}`)
  }
  const payout = await provider.act(`/payments/${deal.payoutId}/${step}`, body)
  return { providerStatus: String(Object(payout).status) }
}

/** Lets money arrive that came from anywhere. */
export async function sendToProvider(provider: ProgramControl, sent: Sent): Promise<{ arrived: Arrived[] }> {
  const arrived = await provider.act('/arrivals', sent)
  return {
    arrived: [arrived].flat().map((one) => {
      const { amount, currency, status } = Object(one)
      return { amount: String(amount), currency: String(currency), status: String(status) }
    }),
  }
}
