/** Works the sandbox bank's control API, as somebody at the bank would. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { SandboxBank } from '../../../sandbox/bank/bank.ts'
import type { Fault } from '../../../sandbox/bank/faults.ts'

/** An authorisation as the bank holds it. */
const AuthorisationAtBank = Type.Object({
  authorisationId: Type.String(),
  scaStatus: Type.String(),
  outcome: Type.Union([Type.String(), Type.Null()]),
})

/** A payment as the bank holds it; the newest is the last. */
const PaymentAtBank = Type.Object({
  paymentId: Type.String(),
  transactionStatus: Type.String(),
  requestId: Type.String(),
  amount: Type.String(),
  authorisations: Type.Array(AuthorisationAtBank),
})
export type PaymentAtBank = Static<typeof PaymentAtBank>

/** A consent as the bank holds it. */
const ConsentAtBank = Type.Object({
  consentId: Type.String(),
  consentStatus: Type.String(),
  authorisations: Type.Array(AuthorisationAtBank),
})
export type ConsentAtBank = Static<typeof ConsentAtBank>

const Clock = Type.Object({ now: Type.String() })

/** What can be asked and done there. */
export type AtBank = {
  payments(): Promise<readonly PaymentAtBank[]>
  consents(): Promise<readonly ConsentAtBank[]>
  /** Posts to an address below `/control`. */
  tell(path: string, body?: object): Promise<unknown>
  /** Signs in the bank's own netbank; the bank tells whoever asked to be told. */
  signInNetbank(paymentId: string): Promise<void>
  /** Lets a fault strike Fjordbanken. */
  strike(fault: Omit<Fault, 'bank'>): Promise<void>
  /** Lets no fault strike any more. */
  heal(): Promise<void>
  now(): Promise<Temporal.Instant>
}

/** Opens the control API of a bank. */
export function atBank(bank: Pick<SandboxBank, 'pagesUrl'>): AtBank {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${bank.pagesUrl}/control${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) {
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    }
    return await response.json()
  }
  return {
    payments: async () => Value.Parse(Type.Array(PaymentAtBank), await ask('GET', '/payments?bank=FJORNO22')),
    consents: async () => Value.Parse(Type.Array(ConsentAtBank), await ask('GET', '/consents')),
    tell: (path, body) => ask('POST', path, body),
    signInNetbank: async (paymentId) => {
      await ask('POST', `/payments/${paymentId}/sign`, {})
    },
    strike: async (fault) => {
      await ask('POST', '/faults', { bank: 'FJORNO22', ...fault })
    },
    heal: async () => {
      await ask('DELETE', '/faults')
    },
    now: async () => Temporal.Instant.from(Value.Parse(Clock, await ask('GET', '/clock')).now),
  }
}
