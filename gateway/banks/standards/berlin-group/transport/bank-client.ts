/** What the parts of the connector share: two ways of calling a bank, the time, and what we are called. */
import { setTimeout as delay } from 'node:timers/promises'
import { signing } from '../../../berlin-group/signing-fetch.ts'
import type { BankFetch, BankStream, ConnectorTools } from '../../../connector/connector-dependencies.ts'
import type { ReturnAddresses } from '../../../connector/sca-authorisation.ts'

export type Line = {
  /** With messages signed as the bank wants them: for everything of the standard. */
  readonly fetch: BankFetch
  /** Signed as well: for answers that are read while they come. */
  readonly stream: BankStream
  readonly wait: (milliseconds: number) => Promise<unknown>
  /** Without: for what stands beside the standard, as authorisation servers and images do. */
  readonly plainFetch: BankFetch
  /** Wall time. */
  readonly now: ConnectorTools['now']
  /** What authorisation servers know us by unless the bank's profile names something else. */
  readonly clientId: () => string
  /** Addresses of ours for creations: the user signs later, under addresses of that authorisation. */
  readonly home: Pick<ReturnAddresses, 'success' | 'failure'>
}

/** A bank on this machine may be spoken to without certificates: any name will do there. */
const UNLICENSED = 'havn'
/** Nobody is ever sent back to it. */
const NOWHERE = 'https://localhost/'

/** Makes it of what the world gives. */
export function lineOf(tools: ConnectorTools): Line {
  const { home = NOWHERE } = tools
  return {
    fetch: signing(tools, tools.fetch),
    stream: signing(tools, tools.stream ?? inOnePart(tools.fetch)),
    wait: tools.wait ?? delay,
    plainFetch: tools.fetch,
    now: tools.now,
    clientId: () => tools.clientId?.() ?? UNLICENSED,
    home: { success: home, failure: home },
  }
}

/** Whole answers, as if they were read while they come. */
function inOnePart(fetch: BankFetch): BankStream {
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
