/** Opens the Currencycloud connector in tests, with its own transport and rate limiter. */
import type { BankCallLimits } from '../../banks/transport/bank-call-limits.ts'
import type { CallRateLimiter } from '../providers/call-rate-limiter.ts'
import { type CurrencycloudAccess, openCurrencycloud } from '../providers/currencycloud/connector.ts'
import type { FxProvider } from '../providers/fx-provider.ts'
import { openProviderTransport, type ProviderCall } from '../providers/provider-transport.ts'
import { openLocalCallRateLimiter } from './local-call-rate-limiter.ts'

/** A connector, with a record of its calls. */
export type TestConnector = {
  readonly provider: FxProvider
  readonly calls: readonly ProviderCall[]
  close(): Promise<void>
}

/** Credentials and settings of a test account. */
export const SAMPLE_ACCESS: Omit<CurrencycloudAccess, 'url'> = {
  loginId: 'havn@example.com',
  apiKey: 'k'.repeat(64),
  notificationKey: 'notification-key',
  onBehalfOf: null,
  holdSeconds: [120, 300],
  callsPerMinute: 1_000_000,
  rateCallsPerMinute: 1_000_000,
}

export function openConnector(
  url: string,
  {
    access = {},
    limits = {},
    rateLimiter = openLocalCallRateLimiter(),
  }: {
    readonly access?: Partial<CurrencycloudAccess>
    readonly limits?: Partial<BankCallLimits>
    readonly rateLimiter?: CallRateLimiter
  } = {},
): TestConnector {
  const calls: ProviderCall[] = []
  const transport = openProviderTransport('currencycloud', { observe: (call) => calls.push(call), limits })
  return {
    provider: openCurrencycloud({ transport, rateLimiter }, { url, ...SAMPLE_ACCESS, ...access }),
    calls,
    close: () => transport.close(),
  }
}
