/** Builds the client that all parts of the connector share: signed and unsigned calls, the clock and our client id. */
import { newBankRequestId } from '../../../../platform/ids.ts'
import type { Bank } from '../../../connector/bank.ts'
import { BankUnreachable } from '../../../connector/bank-error.ts'
import type {
  BankFetch,
  BankRequest,
  BankResponse,
  ConnectorDependencies,
} from '../../../connector/connector-dependencies.ts'
import type { ReturnUrls } from '../../../connector/sca-authorisation.ts'
import { dialectOf } from '../dialect.ts'
import { noAnswerError } from './bank-errors.ts'
import { signRequests } from './message-signature.ts'

/** The dependencies of the connector; `fetch` and `stream` sign requests as the bank requires. */
export type BankClient = Omit<ConnectorDependencies, 'identity' | 'sftp' | 'home'> & {
  /** Unsigned requests: for calls outside the standard, to authorisation servers and for images. */
  readonly plainFetch: BankFetch
  /** Our client id at authorisation servers. */
  readonly clientId: (bank: Bank) => string
  /** Return URLs for creations; the later authorisation has its own. */
  readonly home: Pick<ReturnUrls, 'success' | 'failure'>
}

/** A bank on this machine may be called without certificates and accepts any client id. */
const UNLICENSED = 'havn'
/** Creates the client from the connector's dependencies. */
export function createBankClient(tools: ConnectorDependencies): BankClient {
  const { home, identity, fetch, stream } = tools
  return {
    ...tools,
    fetch: signRequests(tools, fetch),
    stream: signRequests(tools, stream),
    plainFetch: fetch,
    clientId: (bank) => dialectOf(bank.profile).clientId ?? identity(bank).qwac?.organizationIdentifier ?? UNLICENSED,
    home: { success: home, failure: home },
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
