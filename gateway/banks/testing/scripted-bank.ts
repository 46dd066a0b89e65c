/** A connector with scripted answers that records its requests. */

import type { Connector } from '../connector/connector.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { berlinGroup } from '../standards/berlin-group/connector.ts'
import { connectorTools } from './connector-tools.ts'

/** The answer: the body of a 200, or a complete response. */
export type ScriptedAnswer = { readonly body: object } | BankResponse

/** The connector, and all requests so far. */
export type Scripted = { readonly connector: Connector; readonly requested: readonly BankRequest[] }

/** Creates a connector whose calls return or throw what the script returns or throws. */
export function scriptedBank(script: (request: BankRequest, call: number) => ScriptedAnswer): Scripted {
  const requested: BankRequest[] = []
  const tools = connectorTools({
    fetch: async (_bank, request) => {
      requested.push(request)
      return toBankResponse(script(request, requested.length))
    },
  })
  return { connector: berlinGroup(tools), requested }
}

function toBankResponse(answer: ScriptedAnswer): BankResponse {
  return 'status' in answer ? answer : { status: 200, headers: {}, body: JSON.stringify(answer.body) }
}
