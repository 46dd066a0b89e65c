/** A connector with scripted answers that records its requests. */

import type { Connector } from '../connector/connector.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { berlinGroup } from '../standards/berlin-group/connector.ts'

/** The answer: the body of a 200, or a complete response. */
export type ScriptedAnswer = { readonly body: object } | BankResponse

/** The connector, and all requests so far. */
export type Scripted = { readonly connector: Connector; readonly requested: readonly BankRequest[] }

/** Creates a connector whose calls return or throw what the script returns or throws. */
export function scriptedBank(script: (request: BankRequest, call: number) => ScriptedAnswer): Scripted {
  const requested: BankRequest[] = []
  const connector = berlinGroup({
    fetch: async (_bank, request) => {
      requested.push(request)
      return toBankResponse(script(request, requested.length))
    },
    now: () => Temporal.Instant.from('2026-11-21T12:00Z'),
  })
  return { connector, requested }
}

function toBankResponse(answer: ScriptedAnswer): BankResponse {
  return 'status' in answer ? answer : { status: 200, headers: {}, body: JSON.stringify(answer.body) }
}
