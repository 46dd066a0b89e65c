/** Simulates events at the sandbox's FX provider: on payouts, inbound funds, and faults of the provider. */
import type { Context } from '../context.ts'
import { findDeal } from '../fx/deals/get-deal.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import type { ProgramControl } from './sandbox-control.ts'
import type { OwnedKey } from './simulate-bank-events.ts'

/** The simulated fault; applied once by default, unless it lasts until it is cleared. */
export type FxProviderFault = {
  readonly effect: string
  readonly times?: number
  readonly seconds?: number
  readonly amount?: string
}

export type IncomingFunds = { readonly iban: string; readonly amount: string }

/** The state of the sent funds. */
type ReceivedFunds = { readonly amount: string; readonly currency: string; readonly status: string }

/** Injects a fault, which lasts until it is used up or cleared. */
export async function injectFxProviderFault(
  provider: ProgramControl,
  { times, ...fault }: FxProviderFault,
): Promise<undefined> {
  const count = times ?? (fault.effect === 'down' ? undefined : 1)
  await provider.act('/faults', { ...fault, ...(count === undefined ? {} : { times: count }) })
}

/** Executes a step on the payout of a payment, and returns the provider's status. */
export async function simulatePayoutStep(
  { database }: Context,
  provider: ProgramControl,
  { partnerId, id }: OwnedKey,
  { step, ...body }: { readonly step: string; readonly kept?: string },
): Promise<{ providerStatus: string }> {
  const deal = isId(id) ? await findDeal(database, { partnerId, paymentId: id.toLowerCase() }) : undefined
  if (deal === undefined) {
    throw apiError('not-found', 'There is no FX payment with this id')
  }
  if (deal.payoutId === null) {
    throw apiError('conflict', `There is no payout yet: the deal is ${deal.state}`)
  }
  const payout = await provider.act(`/payments/${deal.payoutId}/${step}`, body)
  return { providerStatus: String(Object(payout).status) }
}

/** Simulates inbound funds from any sender. */
export async function simulateIncomingFunds(
  provider: ProgramControl,
  sent: IncomingFunds,
): Promise<{ arrived: ReceivedFunds[] }> {
  const arrived = await provider.act('/arrivals', sent)
  return {
    arrived: [arrived].flat().map((one) => {
      const { amount, currency, status } = Object(one)
      return { amount: String(amount), currency: String(currency), status: String(status) }
    }),
  }
}
