/** Builds the client that all parts of the connector share: signed and unsigned calls, the clock and our client id. */
import { setTimeout as delay } from 'node:timers/promises'
import { newBankRequestId } from '../../../../platform/ids.ts'
import type { Bank } from '../../../connector/bank.ts'
import { BankUnreachable } from '../../../connector/bank-error.ts'
import type {
  BankFetch,
  BankRequest,
  BankResponse,
  BankStream,
  ConnectorDependencies,
} from '../../../connector/connector-dependencies.ts'
import type { ReturnUrls } from '../../../connector/sca-authorisation.ts'
import { noAnswerError } from './bank-errors.ts'
import { signRequests } from './message-signature.ts'

/** The dependencies of the connector, complete; `fetch` and `stream` sign requests as the bank requires. */
export type BankClient = Required<
  Pick<ConnectorDependencies, 'fetch' | 'stream' | 'observeDeviations' | 'wait' | 'now' | 'tppIpAddress'>
> & {
  /** Unsigned requests: for calls outside the standard, to authorisation servers and for images. */
  readonly plainFetch: BankFetch
  /** Our client id at authorisation servers unless the bank's profile sets another one. */
  readonly clientId: (bank: Bank) => string
  /** Return URLs for creations; the later authorisation has its own. */
  readonly home: Pick<ReturnUrls, 'success' | 'failure'>
}

/** A bank on this machine may be called without certificates and accepts any client id. */
const UNLICENSED = 'havn'
/** Is never used for a redirect. */
const NOWHERE = 'https://localhost/'

/** Creates the client from the connector's dependencies. */
export function createBankClient(tools: ConnectorDependencies): BankClient {
  const { home = NOWHERE } = tools
  return {
    fetch: signRequests(tools, tools.fetch),
    stream: signRequests(tools, tools.stream ?? asSinglePart(tools.fetch)),
    observeDeviations: tools.observeDeviations ?? (() => undefined),
    wait: tools.wait ?? delay,
    plainFetch: tools.fetch,
    now: tools.now,
    clientId: (bank) => tools.identity?.(bank).qwac?.organizationIdentifier ?? UNLICENSED,
    home: { success: home, failure: home },
    tppIpAddress: tools.tppIpAddress ?? null,
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

type Call = Pick<BankRequest, 'operation' | 'method' | 'url' | 'body'> & {
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends the request and returns any answer. Throws `BankError` without an answer. */
export async function sendUnsignedRequest({ plainFetch }: BankClient, bank: Bank, call: Call): Promise<BankResponse> {
  const headers = { accept: 'application/json', ...call.headers, 'x-request-id': newBankRequestId() }
  return await plainFetch(bank, { ...call, headers }).catch((error: unknown) => {
    throw error instanceof BankUnreachable ? noAnswerError('authorisation', error) : error
  })
}
