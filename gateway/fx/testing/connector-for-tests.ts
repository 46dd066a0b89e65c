/** Opens the connector to Currencycloud in tests, on a line and a budget of its own. */
import type { BankFetchLimits } from '../../banks/transport/bank-call-limits.ts'
import { type CurrencycloudAccess, openCurrencycloud } from '../currencycloud/connector.ts'
import type { FxProvider } from '../provider/fx-provider.ts'
import { type CallBudget, openOwnBudget } from '../providers/call-rate-limiter.ts'
import { openProviderLine, type ProviderCall } from '../providers/provider-transport.ts'

/** A connector, and every call it made. */
export type ConnectorForTests = {
  readonly provider: FxProvider
  readonly calls: readonly ProviderCall[]
  close(): Promise<void>
}

/** Our account at a provider that knows what it is told here. */
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
    budget = openOwnBudget(),
  }: {
    readonly access?: Partial<CurrencycloudAccess>
    readonly limits?: Partial<BankFetchLimits>
    readonly budget?: CallBudget
  } = {},
): ConnectorForTests {
  const calls: ProviderCall[] = []
  const line = openProviderLine('currencycloud', { observe: (call) => calls.push(call), limits })
  return {
    provider: openCurrencycloud({ line, budget }, { url, ...SAMPLE_ACCESS, ...access }),
    calls,
    close: () => line.close(),
  }
}
