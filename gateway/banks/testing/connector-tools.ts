/** Dependencies of connectors for tests: answers are complete, requests unsigned, and nothing is configured. */
import type { BankFetch, BankStream, ConnectorDependencies } from '../connector/connector-dependencies.ts'

export function connectorTools(
  given: Pick<ConnectorDependencies, 'fetch'> & Partial<ConnectorDependencies>,
): ConnectorDependencies {
  return {
    stream: asSinglePart(given.fetch),
    observeDeviations: () => undefined,
    wait: async () => undefined,
    now: () => Temporal.Instant.from('2026-11-21T12:00Z'),
    identity: () => ({ qseal: null, qwac: null }),
    sftp: async () => null,
    home: 'https://localhost/',
    tppIpAddress: null,
    ...given,
  }
}

/** Adapts complete answers to the interface of streams. */
function asSinglePart(fetch: BankFetch): BankStream {
  return async (bank, request) => {
    const response = await fetch(bank, request)
    return {
      ...response,
      parts: (async function* () {
        yield response.bytes ?? Buffer.from(response.body)
      })(),
    }
  }
}
