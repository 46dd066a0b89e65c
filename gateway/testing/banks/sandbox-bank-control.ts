/** Calls the sandbox bank's control API. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { SandboxBank } from '../../../sandbox/bank/bank.ts'
import type { Fault } from '../../../sandbox/bank/faults.ts'
import { lightFetch } from '../gateway/light-fetch.ts'

const AuthorisationAtBank = Type.Object({
  authorisationId: Type.String(),
  scaStatus: Type.String(),
  outcome: Type.Union([Type.String(), Type.Null()]),
})

/** A payment at the bank; lists are oldest first. */
const PaymentAtBank = Type.Object({
  paymentId: Type.String(),
  transactionStatus: Type.String(),
  requestId: Type.String(),
  amount: Type.String(),
  authorisations: Type.Array(AuthorisationAtBank),
})
export type PaymentAtBank = Static<typeof PaymentAtBank>

const ConsentAtBank = Type.Object({
  consentId: Type.String(),
  consentStatus: Type.String(),
  authorisations: Type.Array(AuthorisationAtBank),
})
export type ConsentAtBank = Static<typeof ConsentAtBank>

/** Longer than the gateway waits for a bank. */
const HELD_AT_MOST_MILLISECONDS = 60_000

const Clock = Type.Object({ now: Type.String() })

export type SandboxBankControl = {
  payments(): Promise<readonly PaymentAtBank[]>
  consents(): Promise<readonly ConsentAtBank[]>
  postControl(path: string, body?: object): Promise<unknown>
  /** Signs in the bank's own online banking; the bank sends the registered notifications. */
  signInNetbank(paymentId: string): Promise<void>
  injectFault(fault: Omit<Fault, 'bank'>): Promise<void>
  /** The bank answers its next call of an operation only after the faults are cleared. */
  holdNextCall(operation: string): Promise<void>
  /** Those that are not used up. */
  faults(): Promise<unknown>
  clearFaults(): Promise<void>
  now(): Promise<Temporal.Instant>
}

/** Opens the control API of a bank, by default Fjordbanken. */
export function openSandboxBankControl(bank: Pick<SandboxBank, 'pagesUrl'>, bic = 'FJORNO22'): SandboxBankControl {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await lightFetch(`${bank.pagesUrl}/control${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) {
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    }
    return await response.json()
  }
  return {
    payments: async () => Value.Parse(Type.Array(PaymentAtBank), await ask('GET', `/payments?bank=${bic}`)),
    consents: async () => Value.Parse(Type.Array(ConsentAtBank), await ask('GET', '/consents')),
    postControl: (path, body) => ask('POST', path, body),
    signInNetbank: async (paymentId) => {
      await ask('POST', `/payments/${paymentId}/sign`, {})
    },
    injectFault: async (fault) => {
      await ask('POST', '/faults', { bank: bic, ...fault })
    },
    holdNextCall: async (operation) => {
      const fault = { bank: bic, operation, effect: 'slow', milliseconds: HELD_AT_MOST_MILLISECONDS, times: 1 }
      await ask('POST', '/faults', fault)
    },
    faults: () => ask('GET', '/faults'),
    clearFaults: async () => {
      await ask('DELETE', '/faults')
    },
    now: async () => Temporal.Instant.from(Value.Parse(Clock, await ask('GET', '/clock')).now),
  }
}
